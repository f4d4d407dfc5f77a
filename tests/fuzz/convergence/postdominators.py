# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Rule D: lanes that part at a branch reconverge at its immediate post-dominator (docs/look-up/isa.md).

Here it is that in the control flow graph of the source; on the device, in that of the machine code.
"""
from graph import EXIT, Branch, Go, Graph
from lanes import Frame
from nodes import Assign, Return, Store


def reached_blocks(graph):
    reached, pending = {graph.entry}, [graph.entry]
    while pending:
        for block in graph.successors(pending.pop()):
            if block not in reached:
                reached.add(block)
                pending.append(block)
    return sorted(reached, reverse=True)


def immediate_postdominators(graph):
    """By block. Post-dominators are sets of bits, which only shrink until nothing changes."""
    reached = reached_blocks(graph)
    sets = {block: 1 << EXIT if block == EXIT else -1 for block in reached}
    has_changed = True
    while has_changed:
        has_changed = False
        for block in reached:
            common = -1
            for successor in graph.successors(block):
                common &= sets[successor]
            if block != EXIT and common | 1 << block != sets[block]:
                sets[block] = common | 1 << block
                has_changed = True
    # The nearest one is that which has most post-dominators itself.
    return {block: max((other for other in reached if other != block and sets[block] >> other & 1),
                       key=lambda other: sets[other].bit_count())
            for block in reached if block != EXIT}


class PostdominatorFrame(Frame):
    """Executes the graph."""

    def run(self, lanes):
        graphs, name = self.wavefront.graphs, self.function.name
        if name not in graphs:
            graph = Graph(self.function)
            graphs[name] = graph, immediate_postdominators(graph)
        self.graph, self.meets = graphs[name]
        self.walk(self.graph.entry, lanes, EXIT)

    def statement(self, s, lanes):
        self.wavefront.step()
        match s:
            case Assign(name, value):
                self.assign(name, lanes, self.value(value, lanes))
            case Store(index, value):
                self.store(lanes, self.value(index, lanes), self.value(value, lanes))
            case Return(value):
                self.give(lanes, self.value(value, lanes))

    def ways(self, block, lanes):
        """Where the lanes go: lists of them by block."""
        last = self.graph.ends[block]
        if isinstance(last, Go):
            return {last.to: lanes}
        ways = {}
        for lane, value in zip(lanes, self.value(last[0], lanes)):
            if isinstance(last, Branch):
                to = last.yes if value else last.no
            else:
                to = last.targets.get(value, last.otherwise)
            ways.setdefault(to, []).append(lane)
        return ways

    def walk(self, block, lanes, stop):
        """From a block to another one that all paths come to."""
        while block != stop:
            self.wavefront.step()
            for s in self.graph.blocks[block]:
                self.statement(s, lanes)
            ways = self.ways(block, lanes)
            if len(ways) == 1:
                block = next(iter(ways))
                continue
            for to, some in ways.items():
                self.walk(to, some, self.meets[block])
            block = self.meets[block]
