/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Tables: those that a panel asks for, rows by columns, and one of all its data. */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <string.h>

#include "report/report.h"

/* A value of a point with the paper's figure beside it. */
static json_t *cell_of(const struct panel *panel, const json_t *point, const char *value)
{
    const json_t *const figure = json_object_get(json_object_get(point, "values"), value);
    json_t *const cell = json_is_object(figure) ? json_copy((json_t *)(uintptr_t)figure)
                                                : json_pack("{s:n}", "value");
    double paper;

    if (paper_figure(panel, point, value, &paper)) {
        json_object_set_new(cell, "paper", json_real(paper));
    }
    return cell;
}

static json_t *value_column(const json_t *value)
{
    return json_pack("{s:s, s:s, s:s, s:b}", "key", section_text(value, "name"), "name",
                     section_text(value, "label"), "unit", section_text_or(value, "unit", ""),
                     "number", 1);
}

/* Texts in the order in which they first come. */
static json_t *distinct(const json_t *points, const json_t *section, const char *key)
{
    json_t *const order = json_array();
    json_t *const seen = json_object();
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        const char *const text = point_at(point, key);
        if (point_is_of(point, section) && text[0] != '\0' && json_object_get(seen, text) == NULL) {
            json_object_set_new(seen, text, json_true());
            json_array_append_new(order, json_string(text));
        }
    }
    json_decref(seen);
    return order;
}

/* ---- rows by columns ---- */

/* The first point of a row and column that has the value, or NULL. */
static const json_t *find_point(const json_t *points, const json_t *section, const char *row,
                                const char *column, const char *value)
{
    const char *const rows = section_text(section, "rows");
    const char *const columns = section_text(section, "columns");
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        if (point_is_of(point, section) && strcmp(point_at(point, rows), row) == 0 &&
            (columns == NULL || strcmp(point_at(point, columns), column) == 0) &&
            json_object_get(json_object_get(point, "values"), value) != NULL) {
            return point;
        }
    }
    return NULL;
}

/* A column for each value of a coordinate, or for each of several values. */
static json_t *table_of(const struct panel *panel, const json_t *section, const json_t *points)
{
    const char *const by = section_text(section, "columns");
    json_t *const values = sweep_split(section_text(section, "values"), " ");
    json_t *const rows = distinct(points, section, section_text(section, "rows"));
    json_t *const across = by != NULL ? distinct(points, section, by) : json_incref(values);
    const char *const only = json_string_value(json_array_get(values, 0));
    json_t *const columns = json_pack("[{s:s}]", "name", section_text(section, "rows"));
    json_t *const lines = json_array();
    size_t i;
    size_t k;
    const json_t *row;
    const json_t *column;

    json_array_foreach(across, k, column)
    {
        json_t *const head =
            value_column(panel_find(panel, "value", by != NULL ? only : json_string_value(column)));
        if (by != NULL) {
            json_object_set(head, "name", (json_t *)(uintptr_t)column);
            json_object_set_new(head, "unit", json_string("")); /* the title's matter */
        }
        json_array_append_new(columns, head);
    }
    json_array_foreach(rows, i, row)
    {
        json_t *const line = json_pack("[O]", row);
        json_array_foreach(across, k, column)
        {
            const char *const value = by != NULL ? only : json_string_value(column);
            const json_t *const point = find_point(points, section, json_string_value(row),
                                                   json_string_value(column), value);
            json_array_append_new(line,
                                  point != NULL ? cell_of(panel, point, value) : json_string(""));
        }
        json_array_append_new(lines, line);
    }
    json_decref(values);
    json_decref(rows);
    json_decref(across);
    return json_pack("{s:s, s:o, s:o}", "title", section_text_or(section, "title", ""), "columns",
                     columns, "rows", lines);
}

/* ---- all data: a row for each point ---- */

static json_t *data_columns(const struct panel *panel, const json_t *coordinates)
{
    json_t *const columns = json_array();
    size_t i;
    const json_t *item;

    json_array_foreach(coordinates, i, item)
    {
        json_array_append_new(columns, json_pack("{s:O, s:O}", "key", item, "name", item));
    }
    json_array_foreach(panel_sections(panel, "value"), i, item)
    {
        json_array_append_new(columns, value_column(item));
    }
    return columns;
}

static json_t *data_row(const struct panel *panel, const json_t *coordinates, const json_t *point)
{
    json_t *const row = json_array();
    size_t i;
    const json_t *item;

    json_array_foreach(coordinates, i, item)
    {
        json_array_append_new(row, json_string(point_at(point, json_string_value(item))));
    }
    json_array_foreach(panel_sections(panel, "value"), i, item)
    {
        json_array_append_new(row, point_is_of(point, item)
                                       ? cell_of(panel, point, section_text(item, "name"))
                                       : json_string(""));
    }
    return row;
}

static json_t *data_of(const struct panel *panel, const json_t *points)
{
    json_t *const coordinates = panel_coordinates(panel);
    json_t *const rows = json_array();
    size_t i;
    const json_t *point;

    json_array_foreach(points, i, point)
    {
        json_array_append_new(rows, data_row(panel, coordinates, point));
    }
    json_t *const columns = data_columns(panel, coordinates);
    json_decref(coordinates);
    return json_pack("{s:s, s:o, s:o}", "title", "All data", "columns", columns, "rows", rows);
}

json_t *report_tables(const struct panel *panel, const json_t *points)
{
    json_t *const tables = json_array();
    size_t i;
    const json_t *section;

    json_array_foreach(panel_sections(panel, "table"), i, section)
    {
        json_array_append_new(tables, table_of(panel, section, points));
    }
    json_array_append_new(tables, data_of(panel, points));
    return tables;
}
