#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Counts in Markdown pages what prose.rules lists and, as rule 14, sentences that are too long: over 25 words in docs/learn, over
# 30 elsewhere. Code is left out, a line of a list and a cell of a table are paragraphs of their own.
# usage: prose.py count PAGE...       a line for each page: its name, and its hits by each rule
#        prose.py show PAGE [RULE]    the hits themselves, a line each
import pathlib
import re
import sys

RULES = pathlib.Path(__file__).with_name("prose.rules")
LONG = 14
LIMIT = 30
LIMIT_LEARN = 25

STARTS = re.compile(r"\s*([-*+]|\d+\.)\s+|#+\s+|>\s*")
SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


def read_rules():
    lines = [line.split("\t") for line in RULES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {int(number): (re.compile(pattern), advice) for number, pattern, advice in lines}


def plain(text):
    """The words that are read: a link by its text, code as one word."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(`+).+?\1", "X", text)
    return re.sub(r"<!--.*?-->|[*_]{2}", "", text).strip()


def paragraphs(page):
    """(line, text) of each, its lines joined."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    start, joined, fence, was_blank = 0, [], None, True
    for number, line in enumerate([*text.splitlines(), ""], 1):
        opened = re.match(r"\s*(`{3,}|~{3,}|:{3,})", line)
        if fence is not None:
            if opened and opened[1].startswith(fence) and not line.strip(" `~:"):
                fence = None
            line = ""
        elif opened:
            fence, line = opened[1], ""
        elif was_blank and re.match(r" {4}", line) and not joined:
            continue  # code by its indentation
        ends = not line.strip() or STARTS.match(line) or line.startswith("|")
        if ends and joined:
            yield start, plain(" ".join(joined))
            joined = []
        if line.startswith("|"):
            for cell in plain(line).strip("|").split("|"):
                yield number, cell.strip()
        elif line.strip():
            start = start if joined else number
            joined.append(STARTS.sub("", line, count=1).strip() if ends else line.strip())
        was_blank = not line.strip()


def words(sentence):
    return len(re.findall(r"\w[\w'./-]*", sentence))


def hits(page, rules):
    """(rule, line, text) of each."""
    limit = LIMIT_LEARN if "docs/learn/" in str(page) else LIMIT
    for line, text in paragraphs(page):
        for number, (pattern, _) in rules.items():
            for found in pattern.finditer(text):
                yield number, line, text[max(0, found.start() - 40):found.end() + 40]
        for sentence in SENTENCE_END.split(text):
            if words(sentence) > limit:
                yield LONG, line, f"{words(sentence)} words: {sentence}"


def main():
    rules = read_rules()
    numbers = sorted([*rules, LONG])
    what, *names = sys.argv[1:]
    if what == "show":
        page, wanted = names[0], set(map(int, names[1:])) or set(numbers)
        for number, line, text in hits(pathlib.Path(page), rules):
            if number in wanted:
                advice = rules[number][1] if number in rules else "two sentences"
                print(f"{page}:{line}: rule {number}: {text}\n    write {advice}")
        return
    width = max([len("page"), *map(len, names)])
    print("page".ljust(width), *(str(number).rjust(3) for number in numbers))
    for name in names:
        found = [number for number, _, _ in hits(pathlib.Path(name), rules)]
        print(name.ljust(width), *(str(found.count(number)).rjust(3) for number in numbers))


main()
