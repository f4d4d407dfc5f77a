/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The mocked device window (firmware_mock.h): the functions that hal/aggregator/mmio.h calls on the
 * host.
 */
#include "unit/firmware/firmware_mock.h"

#include <string.h>

#include "aggregator/device.h"
#include "common/check.h"

struct mock mock;

void mock_reset(void)
{
    memset(&mock, 0, sizeof(mock));
    agg_device_window = MOCK_WINDOW;
}

static void note(bool is_write, uint32_t reg, uint64_t value)
{
    if (mock.log_count < MOCK_LOG_MAX) {
        mock.log[mock.log_count] = (struct mock_access){is_write, reg, value};
    }
    mock.log_count++;
}

static uint32_t check_register(uintptr_t address, unsigned bytes)
{
    assert_int_equal(bytes, 8);
    assert_true(address >= MOCK_WINDOW && address < MOCK_WINDOW + SL_REG_BYTES);
    assert_int_equal(address % 8, 0);
    return (uint32_t)(address - MOCK_WINDOW);
}

uint64_t agg_host_read(uintptr_t address, unsigned bytes)
{
    const uint32_t reg = check_register(address, bytes);
    if (mock.before_read != NULL) {
        mock.before_read(reg);
    }
    note(false, reg, mock.value[reg / 8]);
    return mock.value[reg / 8];
}

void agg_host_write(uintptr_t address, unsigned bytes, uint64_t value)
{
    const uint32_t reg = check_register(address, bytes);
    note(true, reg, value);
    mock.value[reg / 8] = value;
    if (mock.after_write != NULL) {
        mock.after_write(reg, value);
    }
}

void mock_expect(size_t *from, const struct mock_access *accesses, size_t count)
{
    for (size_t i = 0; i < count; i++, ++*from) {
        assert_true(*from < mock.log_count && *from < MOCK_LOG_MAX);
        const struct mock_access *found = &mock.log[*from];
        if (found->is_write != accesses[i].is_write || found->reg != accesses[i].reg ||
            found->value != accesses[i].value) {
            fail_msg("access %zu is %s register 0x%x, value 0x%llx; expected is %s register 0x%x, "
                     "value 0x%llx",
                     *from, found->is_write ? "write" : "read", found->reg,
                     (unsigned long long)found->value, accesses[i].is_write ? "write" : "read",
                     accesses[i].reg, (unsigned long long)accesses[i].value);
        }
    }
}
