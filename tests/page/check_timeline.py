# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Checks the section "Timeline" of a run's page in a browser (browser.py): its tracks are those of the page's data and are
# drawn; pointer and keys tell the slice that is there; wheel, dragging, brush, buttons and keys change what is seen;
# in light and dark, wide and narrow, or as the arguments say. Prints what is wrong, status 1 then.
# usage: check_timeline.py PAGE.html FOLDER_OF_SCREENSHOTS [WIDTH SCHEME]
import json
import pathlib
import re
import sys

import browser

TRACKS = ".timeline-tracks"
KEYS = {"+": 187, "-": 189, "0": 48, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
SHIFT = 8
COUNTER_FOOT = 9  # pixels from the middle of a counter's row to its lowest values


def data_of(page):
    held = re.search(r'<script [^>]*id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.S).group(1)
    return json.loads(held)["data"]


def cycles_of(one):
    return (2 * one.length_ps + one.cycle_ps) // (2 * one.cycle_ps)


class Slice:
    """A slice of the data, worked out here: a row's arrays are as docs/do/profile.md has them."""

    def __init__(self, data, row, number):
        timeline = data["timeline"]
        gaps = row.get("gap", [0] * len(row["length"]))
        before = sum(gaps[: number + 1]) + sum(row["length"][:number])
        self.row, self.number = row, number
        self.begin_ps = before * timeline["unit_ps"]
        self.length_ps = row["length"][number] * timeline["unit_ps"]
        self.others = row.get("others", [0] * len(row["length"]))[number]
        self.cycle_ps = timeline["agg_cycle_ps" if row["track"] == "phases" else "gpu_cycle_ps"]
        self.flags = row.get("flags", [0] * len(row["length"]))[number]
        self.name = self.name_in(data)
        self.data = data

    def name_in(self, data):
        timeline = data["timeline"]
        name = self.row.get("name", [0] * len(self.row["length"]))[self.number]
        if self.row["track"] == "phases":
            return timeline["phases"][name]
        if self.row["track"] == "cu":
            return timeline["kernels"][name]
        return "DRAM" if self.row["track"] == "dram" else data["channels"]["names"][self.row["number"]]

    def says(self):
        """What its tooltip has."""
        words = [self.name, f"{self.begin_ps / 1e6:,.4f}".rstrip("0").rstrip(".") + " us",
                 f"{cycles_of(self):,} ", f"{self.length_ps / 1e3:,.4f}".rstrip("0").rstrip(".") + " ns"]
        if self.others > 0:
            words.append(f"{self.others + 1:,} ")
        if self.row["track"] == "cu":
            words.append(f"CU {self.row['number']}, context {self.row['context']}")
            words += ["restarted"] if self.flags & 1 else []
            words += ["yields for"] if self.flags & 2 else []
        return words


def tracks_of(data):
    rows = data["timeline"]["rows"]
    units = dict.fromkeys(f"CU {row['number']}" for row in rows if row["track"] == "cu")
    channels = [data["channels"]["names"][row["number"]] for row in rows if row["track"] == "channel"]
    runs = ["runs"] if len(data["runs"]["named"]) > 1 else []
    dram = ["DRAM"] if any(row["track"] == "dram" for row in rows) else []
    return [*runs, "phases", *dram, *units, *channels]


def longest_of(data, row):
    return Slice(data, row, max(range(len(row["length"])), key=lambda i: row["length"][i]))


def samples(data):
    """The longest slice of some rows of each kind, a wavefront that yields, one that is restarted, one of several."""
    rows = data["timeline"]["rows"]
    chosen = []
    for track in ("phases", "dram", "cu", "channel"):
        of_kind = [row for row in rows if row["track"] == track]
        chosen += [longest_of(data, row) for row in {id(row): row for row in [*of_kind[:1], *of_kind[-1:]]}.values()]
    for track, member, bit in (("cu", "flags", 1), ("cu", "flags", 2), ("phases", "others", ~0)):
        found = [Slice(data, row, i) for row in rows if row["track"] == track
                 for i, value in enumerate(row.get(member, [])) if value & bit][:1]
        chosen += found
    return chosen


class Look:
    """The page in a browser, as it is looked at."""

    def __init__(self, view, data):
        self.view, self.data, self.problems = view, data, []

    def expect(self, is_so, words):
        if not is_so:
            self.problems.append(words)

    def settle(self):
        """Two pictures of the screen: what was asked for is drawn then."""
        self.view.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def seen(self):
        """From, to and the whole, in us."""
        self.settle()
        words = self.view.script("return document.querySelector('.timeline-range').textContent")
        return [float(number.replace(",", "")) for number in re.findall(r"([\d,.]+) us", words)]

    def told(self):
        return self.view.script("return document.querySelector('.tooltip:not([hidden])')?.innerText ?? ''")

    def place(self, one):
        """Of a slice in the window, after the tracks were scrolled to it."""
        row = one.row
        self.view.script("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", TRACKS)
        at = self.view.script("return timeline.locate(...arguments)", row["track"], row.get("number"), row.get("context"), one.number)
        self.settle()
        return at

    def mouse(self, kind, x, y, **others):
        self.view.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, **others)

    def drag(self, begin, end):
        self.mouse("mousePressed", *begin, button="left", buttons=1, clickCount=1)
        for part in (0.5, 1):
            self.mouse("mouseMoved", *[a + (b - a) * part for a, b in zip(begin, end)], button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def press(self, key, modifiers=0):
        for kind in "rawKeyDown", "keyUp":
            self.view.cdp("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key], modifiers=modifiers)

    def show_all(self):
        self.view.script("[...document.querySelectorAll('.timeline-tools button')].at(-1).click()")
        self.settle()

    def box(self, selector):
        return self.view.script("const at = document.querySelector(arguments[0]).getBoundingClientRect();"
                                "return [at.left, at.top, at.width, at.height]", selector)

    def rest(self, selector):
        """Its box in the middle of the window, when the page does not move any more, as it does for a while after a wheel."""
        before = None
        while before != (at := self.box(selector)):
            self.view.script("document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", selector)
            self.settle()
            before = at
        return at

    def colour(self, x, y):
        """Of the canvas of tracks at a place in the window."""
        return self.view.script("""
            const node = document.querySelector(arguments[0]);
            const at = node.getBoundingClientRect();
            const ratio = node.width / at.width;
            const copy = new OffscreenCanvas(1, 1).getContext("2d");
            copy.drawImage(node, -Math.round((arguments[1] - at.left) * ratio), -Math.round((arguments[2] - at.top) * ratio));
            return [...copy.getImageData(0, 0, 1, 1).data];""", TRACKS, x, y)

    def ground(self):
        """What tracks have where no slice is."""
        hexadecimal = self.view.script("return timelineCanvas.palette().raised")
        return [int(hexadecimal[at : at + 2], 16) for at in (1, 3, 5)] + [255]


def check_tracks(look):
    spoken = look.view.script("return document.querySelector(arguments[0]).getAttribute('aria-label')", TRACKS)
    wanted = "tracks " + ", ".join(tracks_of(look.data)) + "."
    look.expect(wanted in spoken, f"the tracks are '{spoken}', not '{wanted}'")
    legend = look.view.script("return document.querySelector('.timeline .legend').innerText")
    for name in [*look.data["timeline"]["kernels"], "poll"]:
        look.expect(name in legend, f"the legend has no '{name}': {legend!r}")
    # One of several is told, and so is what was lost.
    notes = look.view.script("return [...document.querySelectorAll('.timeline-note')].map((p) => p.textContent).join(' ')")
    timeline = look.data["timeline"]
    look.expect((timeline["step_ps"] > 0) == (f"{timeline['events']:,} events" in notes), f"of {timeline['events']} events it says '{notes}'")
    look.expect((timeline["lost"] > 0) == ("lost" in notes), f"of {timeline['lost']} lost records it says '{notes}'")


def check_samples(look):
    for one in samples(look.data):
        what = f"{one.row['track']} {one.row.get('number', '')} slice {one.number}"
        x, y = look.place(one)
        if one.length_ps * 400 > look.data["timeline"]["end_ps"]:  # wider than two pixels
            foot = y if one.row["track"] in ("phases", "cu") else y + COUNTER_FOOT
            look.expect(look.colour(x, foot) != look.ground(), f"{what} is not drawn")
        for _unused in range(40):  # until it has some pixels of its own
            begin, end, _ = look.seen()
            if one.length_ps / 1e6 > (end - begin) / 100:
                break
            look.mouse("mouseWheel", x, y, deltaX=0, deltaY=-240)
            look.settle()
            x, y = look.place(one)
        look.mouse("mouseMoved", x, y)
        look.settle()
        for words in one.says():
            look.expect(words in look.told(), f"hover over {what} says {look.told()!r}, not '{words}'")
        look.show_all()


def check_zoom(look):
    whole = look.data["timeline"]["end_ps"] / 1e6
    left, top, width, height = look.rest(TRACKS)
    look.expect(look.seen()[:2] == [0, look.seen()[2]], f"at first {look.seen()} is seen")
    at = (left + width * 0.7, top + height / 2)
    look.mouse("mouseWheel", *at, deltaX=0, deltaY=-300)
    near = look.seen()
    look.expect(near[1] - near[0] < whole * 0.6 and near[0] > 0, f"the wheel zooms to {near}")
    look.mouse("mouseWheel", *at, deltaX=0, deltaY=-300)
    look.drag(at, (at[0] - width * 0.1, at[1]))
    after = look.seen()
    nearer = near[1] - near[0]
    look.expect(after[1] - after[0] < nearer and after[0] > near[0], f"dragging to the left goes from {near} to {after}")
    for _ in range(20):
        look.mouse("mouseWheel", *at, deltaX=0, deltaY=300)
        if look.seen()[:2] == [0, look.seen()[2]]:
            break
    look.expect(look.seen()[:2] == [0, look.seen()[2]], f"the wheel zooms out to {look.seen()}")


def check_brush(look):
    left, top, width, height = look.rest(".timeline-overview")
    look.drag((left + width * 0.5, top + height / 2), (left + width * 0.75, top + height / 2))
    first = look.seen()
    look.expect(0.15 < (first[1] - first[0]) / first[2] < 0.4, f"the brush over a quarter shows {first}")
    look.drag((left + width * 0.62, top + height / 2), (left + width * 0.72, top + height / 2))
    second = look.seen()
    look.expect(second[0] > first[0] and abs((second[1] - second[0]) - (first[1] - first[0])) < 0.01 * first[2],
                f"the brush moves from {first} to {second}")


def check_buttons(look):
    def click(name):
        look.view.script("[...document.querySelectorAll('.timeline-tools button')].find((b) => b.title === arguments[0] ||"
                         "b.textContent === arguments[0]).click()", name)
        return look.seen()
    whole = click("Whole run")
    look.expect(whole[:2] == [0, whole[2]], f"the whole run is {whole}")
    inner = click("Zoom in")
    later = click("Later")
    earlier = click("Earlier")
    outer = click("Zoom out")
    look.expect(inner[1] - inner[0] < whole[2] / 2, f"zooming in shows {inner}")
    look.expect(later[0] > inner[0] and abs(earlier[0] - inner[0]) < 0.001 * whole[2], f"later is {later}, earlier {earlier}, of {inner}")
    look.expect(outer[1] - outer[0] > inner[1] - inner[0], f"zooming out shows {outer}")
    click("Whole run")


def check_keys(look):
    """The first phases, one by one; then a row below; zoom and move. Where there are several runs, they come first."""
    look.mouse("mouseMoved", 1, 1)
    look.view.script("document.querySelector(arguments[0]).focus()", TRACKS)
    if len(look.data["runs"]["named"]) > 1:
        look.press("ArrowRight")
        look.expect(look.data["runs"]["named"][0]["name"] in look.told(), f"the first key says {look.told()!r}, not the first run")
        look.press("ArrowDown")
        look.press("ArrowLeft")
    row = next(row for row in look.data["timeline"]["rows"] if row["track"] == "phases")
    for number in range(2):
        if number > 0 or look.told() == "":
            look.press("ArrowRight")
        for words in Slice(look.data, row, number).says():
            look.expect(words in look.told(), f"key {number} says {look.told()!r}, not '{words}'")
    look.press("ArrowDown")
    look.expect(look.told() != "" and "phases" not in look.told(), f"the row below says {look.told()!r}")
    look.press("ArrowUp")
    look.press("+")
    near = look.seen()
    look.expect(near[1] - near[0] < near[2], f"+ shows {near}")
    look.press("ArrowRight", SHIFT)
    look.expect(look.seen()[0] > near[0], f"Shift and an arrow go from {near} to {look.seen()}")
    look.press("0")
    look.press("Escape")
    look.expect(look.told() == "" and look.seen()[:2] == [0, near[2]], f"at the end {look.seen()}, {look.told()!r}")
    look.view.script("document.activeElement.blur()")


def check_table(look):
    """The longest are in words, too."""
    rows = look.view.script("return [...document.querySelectorAll('#timeline table tbody tr')].map((row) => row.innerText)")
    phases = next(row for row in look.data["timeline"]["rows"] if row["track"] == "phases")
    longest = longest_of(look.data, phases)
    cycles = f"{cycles_of(longest):,}"
    look.expect(rows and cycles in rows[0], f"the table begins with {rows[:1]}, not {cycles} cycles")
    look.expect(any("CU " in row for row in rows), "the table has no wavefront")


def check_look(view, page, data, width, scheme, shots):
    view.look(width, scheme)
    view.load(page)
    look = Look(view, data)
    view.script("document.getElementById('timeline').scrollIntoView({behavior: 'instant'})")
    look.settle()
    view.shoot(shots / f"{page.stem}-timeline-{width}-{scheme}.png", full=False)
    for check in (check_tracks, check_zoom, check_brush, check_buttons, check_keys, check_samples, check_table):
        check(look)
    view.shoot(shots / f"{page.stem}-timeline-{width}-{scheme}-after.png", full=False)
    look.problems += browser.check_width(view, width) + view.complaints()
    return [f"{width} {scheme}: {problem}" for problem in dict.fromkeys(look.problems)]


def main():
    page, shots = map(pathlib.Path, sys.argv[1:3])
    looks = [(int(sys.argv[3]), sys.argv[4])] if len(sys.argv) > 3 else [(1280, "light"), (1280, "dark"), (390, "light")]
    data = data_of(page)
    problems = []
    with browser.Browser() as view:
        for width, scheme in looks:
            problems += check_look(view, page, data, width, scheme, shots)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
