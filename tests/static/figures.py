#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks or writes the blocks and plots of pages that show what programs print (tests/static/check_figures.sh says which those
# are).
# The store, docs/ in the build folder, has an empty file for each block that is known to be right. Its name is a hash of the
# block as it stands in its page and of all that its commands run, so what is in the store needs no run. A difference is never
# taken from the store: it is always what a run has just printed.
# usage: figures.py [--write] [--long] PAGE...
#   Reports in TAP. --long: those marked as long, too. --write: brings blocks up to date instead, long ones and then panels
#   last, each page as soon as a block of it has run; progress goes to standard error.
# SLUICE_BUILD is the build folder, SLUICE_TREE the tree in place of this script's.
import argparse
import collections
import contextlib
import difflib
import glob
import hashlib
import html
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(os.environ.get("SLUICE_TREE") or Path(__file__).parents[2]).resolve()
build = (root / os.environ.get("SLUICE_BUILD", "build")).resolve()
store = build / "docs"

FENCED = re.compile(r"(?:^<!-- (?P<mark>.*) -->\n)?^```(?P<kind>console|text)\n(?P<body>(?:.*\n)*?)```$", re.M)
OURS = re.compile(r"make run$|build/bin/|build/examples/|for [a-z] in ")
MAKES_FILE = re.compile(r"printf .* >\S+$")
PLOT = re.compile(r"^<!-- (?P<mark>plot (?P<panel>[\w-]+) (?P<number>\d+)(?: (?P<label>\w\S*))?(?P<options>(?: --.*)?)) -->\n"
                  r"!\[[^]]*\]\((?P<path>[^)]+)\)$", re.M)
PAGE_PLOT = re.compile(r"^<!-- (?P<mark>plot (?P<file>\w+\.html) (?P<panel>[\w-]+) (?P<number>\d+): (?P<command>.*)) -->\n"
                       r"!\[[^]]*\]\((?P<path>[^)]+)\)$", re.M)
CHECKS = re.compile(r"^<!-- (?P<mark>checks (?P<panel>[\w-]+)(?P<options>(?: --.*)?)) -->\n(?P<body>(?:\|.*\n)*)", re.M)
PANEL = re.compile(r"panel(?: (\w+))?$")
MISTAKE = re.compile(r"with (?P<file>[a-z_]+\.c), (?P<script>.*): (?P<program>[a-z_]+) (?P<arguments>.*)$")
WALL_CLOCK = re.compile(r"^# (simulator |[0-9.]+ ms simulated, ).*\n", re.M)


class Block:
    """A block of a page that is checked: its text is the mark above it, if any, and all up to the closing fence."""

    def __init__(self, page, line, found):
        self.page, self.line = page, line
        self.text, self.body = found[0], found["body"]
        self.mark = found["mark"] or ""
        self.commands = [line[2:] for line in self.body.splitlines() if line.startswith("$ ")]
        self.mistake = MISTAKE.match(self.mark)
        self.panel = PANEL.match(self.mark)
        self.label = self.panel and (self.panel[1] or "Fibonacci")  # the program that stands for all in a short run

    def is_checked(self, kind):
        """Whether it shows what programs of ours print: at least one, and nothing but theirs."""
        if kind == "text":
            return self.mistake is not None
        shows = any(not line.startswith("$ ") for line in self.body.splitlines())
        ours = [command for command in self.commands if not MAKES_FILE.match(command)]
        return shows and bool(ours) and all(OURS.match(command) for command in ours)

    def is_long(self):
        return bool(self.mark == "long" or self.panel or self.mistake)

    def run(self):
        """The body as it is now. Each block begins in an empty folder."""
        return self.run_with("")

    def run_with(self, suffix):
        with own_folder() as folder:
            if self.mistake:
                return with_mistake(self, folder)
            return "".join(f"$ {command}\n" + shell(as_run(command) + suffix, folder) for command in self.commands)

    def sample(self):
        """The rows of one program of a panel, as shown and as they are now."""
        return rows(self.label, self.body), rows(self.label, self.run_with(f" --only {self.label}"))

    def write(self, body):
        fence = "```"
        return replace_in_page(self, self.text, self.text.removesuffix(self.body + fence) + body + fence)

    def what(self):
        return self.mark if self.mistake else self.commands[0]


class Excerpt:
    """What a page shows of a panel without its text: tests/page/excerpt.py makes it from the page of a report."""

    mistake = label = None

    def __init__(self, page, line, found):
        self.page, self.line, self.text, self.mark = page, line, found[0], found["mark"]
        self.panel = found["panel"]
        self.commands = [self.command_of(found)]

    def command_of(self, found):
        return f"build/bin/sluice report{found['options']} {self.panel}"

    def is_long(self):
        return True

    def report(self, suffix=""):
        with own_folder() as folder:
            shell(self.commands[0] + suffix, folder)

    def excerpt(self, what, *arguments, page=build / "report/index.html"):
        """Of the report that was made last."""
        command = [root / "tests/page/excerpt.py", what, page, self.panel, *arguments]
        result = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        if result.returncode != 0:
            raise Unfinished(result.stdout)
        return result.stdout

    def what(self):
        return self.mark


class PlotFile(Excerpt):
    """A plot as an SVG file. The body are its values, which stand in the file's description: drawings may differ by fonts."""

    def __init__(self, page, line, found):
        super().__init__(page, line, found)
        self.number = found["number"]
        self.file = (root / page).parent / found["path"]
        drawing = self.file.read_text(encoding="utf-8") if self.file.exists() else ""
        self.body = html.unescape("".join(re.findall(r"<desc>\n(.*?)</desc>", drawing, re.S)))

    def run(self):
        return self.made("values")

    def write(self, body):
        drawing = self.made("picture")
        if not self.file.exists() or self.file.read_text(encoding="utf-8") != drawing:
            replace_file(self.file, drawing)
        return True


class Plot(PlotFile):
    """A plot of a panel."""

    def __init__(self, page, line, found):
        super().__init__(page, line, found)
        self.label = found["label"] or "Fibonacci"

    def made(self, what):
        if what == "values":
            self.report()
        return self.excerpt(what, self.number)

    def sample(self):
        """The points of one program."""
        self.report(f" --only {self.label}")
        now = sorted(point for point in points(self.excerpt("values", self.number)) if self.label in point)
        shown = collections.Counter(points(self.body)) & collections.Counter(now)
        return sorted(shown.elements()), now


class PagePlot(PlotFile):
    """A plot of the page that a command writes."""

    def __init__(self, page, line, found):
        super().__init__(page, line, found)
        self.made_page = found["file"]

    def command_of(self, found):
        return found["command"]

    def is_long(self):
        return False

    def made(self, what):
        with own_folder() as folder:
            said = shell(self.commands[0], folder)
            if not (folder / self.made_page).exists():
                raise Unfinished(said)
            return self.excerpt(what, self.number, page=folder / self.made_page)


class Checks(Excerpt):
    """A panel's checks as a table of the page."""

    def __init__(self, page, line, found):
        super().__init__(page, line, found)
        self.body = found["body"]

    def run(self):
        self.report()
        return self.excerpt("checks")

    def write(self, body):
        return replace_in_page(self, self.text, self.text.removesuffix(self.body) + body)


@contextlib.contextmanager
def own_folder():
    """An empty folder, except for the build and tests, in which commands run."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "build").symlink_to(build)
        (Path(name) / "tests").symlink_to(root / "tests")
        yield Path(name)


def replace_in_page(block, old, new):
    """The page may have been edited elsewhere meanwhile."""
    page = root / block.page
    text = page.read_text(encoding="utf-8")
    if old not in text:
        print(f"  {block.page}: the block has been edited while it ran and is left as it is", file=sys.stderr)
        return False
    if new != old:
        replace_file(page, text.replace(old, new, 1))
    return True


def replace_file(file, text):
    fresh = file.with_name(file.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    if file.exists():
        shutil.copymode(file, fresh)
    fresh.replace(file)
    print("  changed", file=sys.stderr)


def as_run(command):
    return command.replace("make run", "build/bin/fib 24")


def blocks_of(page):
    text = (root / page).read_text(encoding="utf-8")
    for found in FENCED.finditer(text):
        block = Block(page, text.count("\n", 0, found.start("body")) + 1, found)
        if block.is_checked(found["kind"]):
            yield block
    for kind, pattern in (Plot, PLOT), (PagePlot, PAGE_PLOT), (Checks, CHECKS):
        for found in pattern.finditer(text):
            yield kind(page, text.count("\n", 0, found.end("mark")) + 2, found)


# ---- what a block runs ----

hashes = {}


def content(file):
    """But for the commit that the firmware names, which changes no result, and the CRC-32 of that in an image's header."""
    data = file.read_bytes()
    if build / "firmware" in file.parents:
        data = re.sub(rb"\ncommit\t[^\n]*", b"", data)
        if file.suffix == ".flash":
            data = data[:124] + data[128:]
    return data


def hash_of(file):
    if file not in hashes:
        hashes[file] = hashlib.sha256(content(file)).hexdigest()
    return hashes[file]


def files(*patterns):
    """The files below root or build that fit; a folder stands for all in it."""
    for pattern in patterns:
        for path in map(Path, glob.glob(str(pattern), recursive=True)):
            if path.is_file():
                yield path


def inputs(words, seen):
    """Files that words name: paths of the tree, programs with their kernels, and panels with the words in them."""
    for word in {re.sub(r"\$\w+", "*", word) for word in words} - seen:
        seen.add(word)
        name = word.split("/")[-1]
        if not re.search("[a-z]", name):
            continue
        if "/" in word:
            yield from files(root / word)
        yield from files(build / "bin" / name, build / "kernels" / f"{name}*.elf", build / "examples" / name,
                         build / "examples" / f"{name}*.elf")
        for panel in files(root / "scripts/panels/*" / f"{name}.ini"):
            yield panel
            yield from inputs(words_of(panel.read_text(encoding="utf-8")), seen)


def words_of(text):
    return re.findall(r"[\w$./+-]+", text)


def run_files(block):
    """All that the block's result can depend on: simulator, firmware and host library; what its words name; and sources,
    where it compiles or shows some."""
    text = " ".join([block.what(), *map(as_run, block.commands)])
    yield from files(build / "lib/**", build / "firmware/**", build / "bin/sluice", build / "share/*.json",
                     root / "sim-soc/configs/*")
    if isinstance(block, Excerpt):
        yield from files(root / "scripts/page/*", root / "tests/page/excerpt.py")
    if block.mistake or "variant.sh" in text or "sluice annotate" in text:
        yield from files(root / "tests/workloads/**/*.[ch]", root / "tests/probes/**/*.[ch]", root / "docs/examples/*/*.[ch]",
                         root / "hal/**", root / "linker/*", root / "scripts/sluice-kernel-cc", build / "bin/check-convergence",
                         build / "bin/kernel-entries")
    if "sluice profile" in text:
        text += " table5"  # whose figures it shows beside its own
    yield from inputs(words_of(text), set())


def stamp(block, text, sample=""):
    """The store's file that says that text, of this block, is right, or a sample of it."""
    parts = [block.what(), text, sample, os.environ["SLUICE_ENGINE"]]
    parts += [f"{file} {hash_of(file)}" for file in sorted(set(run_files(block)))]
    return store / hashlib.sha256("\n".join(parts).encode()).hexdigest()


def keep(file):
    store.mkdir(exist_ok=True)
    file.touch()


# ---- running ----


class Unfinished(Exception):
    """A report that has no result, such as where another one is being made in the same folder."""


def shell(command, folder):
    """What it prints on both streams, but for what depends on the wall clock."""
    with subprocess.Popen(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, process_group=0) as process:
        try:
            output = WALL_CLOCK.sub("", process.communicate()[0].decode())
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)  # a report ends what it has started
            raise
    if "sluice report" in command and process.returncode != 0:
        raise Unfinished(output)
    return output


def with_mistake(block, folder):
    """What the program says, in a copy of what it needs from the build."""
    file, script, program, arguments = block.mistake.groups()
    source = next(path for path in files(root / "tests/workloads/**" / file, root / "tests/probes/**" / file))
    tree = folder / "mistake"
    for copied in (f"bin/{program}", f"kernels/{program}.elf"):
        (tree / copied).parent.mkdir(parents=True)
        shutil.copy(build / copied, tree / copied)
    for part in ("lib", "firmware"):
        (tree / part).symlink_to(build / part)
    changed = subprocess.run(["sed", script, source], check=True, stdout=subprocess.PIPE).stdout
    (tree / file).write_bytes(changed)
    said = ""
    if changed == source.read_bytes():
        said = f"({source.relative_to(root)} is the same after sed '{script}')\n"
    elif file.endswith("_kernel.c"):
        said = shell(f"cd {root} && scripts/sluice-kernel-cc -Itests -I{source.parent} {tree / file} -o {tree}/kernels/{program}.elf", folder)
    else:
        parts = [path for path in files(root / "tests/workloads/common/*.c", source.parent / "*.c")
                 if not path.name.endswith("_kernel.c") and not re.search(r"^(int main|SL_PROGRAM)\(", path.read_text(encoding="utf-8"), re.M)]
        said = shell(f"cd {root} && gcc -std=gnu11 -O2 -Ihal -Ihal/include -Itests -I{source.parent} {tree / file} {' '.join(map(str, parts))} "
                     f"{build}/lib/libsluice.a -o {tree}/bin/{program} -pthread -lelf -ldw -linih -ljansson -lm", folder)
    return said + shell(f"{tree}/bin/{program} {arguments} 2>&1 >{tree}/out", folder)


# ---- checking ----


def rows(label, body):
    """The rows of a program in a panel, without what lines them up with others."""
    return sorted(" ".join(line.split()) + "\n" for line in body.splitlines() if line.split()[:1] == [label])


def points(values):
    """Each value of a plot with its series: what --only leaves out is missing from a line."""
    lines = [line.split(" | ") for line in values.splitlines()]
    return [f"{name} | {point}\n" for name, *rest in lines for point in rest]


def difference(block, shown, now):
    return "".join(difflib.unified_diff(shown, now, f"{block.page}:{block.line}", "as it is now", n=1))


def check(block, with_long):
    """What is wrong with it, "" for nothing; a panel's by the rows of one program. None for what is left to long runs."""
    whole = stamp(block, block.body)
    sample = None
    if not with_long and block.label:
        sample = stamp(block, block.body, block.label)
    elif not with_long and block.is_long():
        return None
    if whole.exists() or sample and sample.exists():
        return ""
    if sample:
        shown, now = block.sample()
        wrong = difference(block, shown, now) if shown else f"{block.page}:{block.line}: no row of {block.label} to compare\n"
    else:
        wrong = difference(block, block.body.splitlines(True), block.run().splitlines(True))
    if not wrong:
        keep(sample or whole)
    return wrong


def try_check(block, with_long):
    try:
        return check(block, with_long)
    except Unfinished as error:
        return f"{block.page}:{block.line}: {error}"


def check_page(page, with_long):
    results = [try_check(block, with_long) for block in blocks_of(page)]
    wrong = "".join(result or "" for result in results)
    if wrong:
        print(f"{wrong}not ok - {page} shows what the programs do not print: run tests/static/check_figures.sh --write {page}")
    elif results:
        left = "" if any(result is not None for result in results) else " # SKIP all are long"
        print(f"ok - the examples of {page} are what the programs print{left}")
    sys.stdout.flush()
    return not wrong


# ---- writing ----


def write_all(pages):
    blocks = [block for page in pages for block in blocks_of(page)]
    due = [block for block in blocks if not stamp(block, block.body).exists()]
    due.sort(key=lambda block: (block.is_long(), "sluice report" in block.what()))
    print(f"{len(due)} of {len(blocks)} blocks have changed inputs", file=sys.stderr)
    is_good = True
    for number, block in enumerate(due, 1):
        print(f"{block.page}:{block.line}, {number} of {len(due)}: {block.what():.60}", file=sys.stderr)
        try:
            body = block.run()
            if block.write(body):
                keep(stamp(block, body))
        except Unfinished as error:
            print(f"  left as it is: {error}", end="", file=sys.stderr)
            is_good = False
    return is_good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    arguments = parser.parse_args()
    os.environ.setdefault("SLUICE_ENGINE", "native")  # results are equal on both
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if arguments.write:
        return 0 if write_all(arguments.pages) else 1
    return 0 if all([check_page(page, arguments.long) for page in arguments.pages]) else 1


try:
    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
