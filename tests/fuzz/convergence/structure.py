# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Rule S: lanes that part at a construct reconverge at its end.

Behind an if, a ?:, && or ||, all lanes that get there go on together. Lanes that leave a loop by its condition or a
break wait at its exit, those that continue wait for its next round, and those that return wait at the function's end.
In a switch, lanes that fall through meet those that enter at the next case, and all meet behind it.
"""
from lanes import Frame, split
from nodes import And, Assign, Choice, DoWhile, For, If, Jump, Return, Store, Switch, While, below, counting


class StructureFrame(Frame):
    """Executes the tree with lists of lanes."""

    def run(self, lanes):
        self.left = {'break': [], 'continue': []}  # lanes that have jumped, of the innermost loop or switch
        self.body(self.function.body, lanes)

    def choose(self, x, lanes):
        condition = self.value(x[0], lanes)
        yes, no = split(lanes, condition)
        values = dict(zip(lanes, condition))
        match x:
            case Choice(_, first, second):
                self.put(values, first, yes)
                self.put(values, second, no)
                return [values[lane] for lane in lanes]
            case And(_, second):
                self.put(values, second, yes)
            case _:
                self.put(values, x.right, no)
        return [int(values[lane] != 0) for lane in lanes]

    def put(self, values, x, lanes):
        if lanes:
            values.update(zip(lanes, self.value(x, lanes)))

    def body(self, statements, lanes):
        """Executes statements; returns the lanes that come to their end."""
        for s in statements:
            if not lanes:
                break
            self.wavefront.step()
            lanes = self.statement(s, lanes)
        return lanes

    def statement(self, s, lanes):
        match s:
            case Assign(name, value):
                self.assign(name, lanes, self.value(value, lanes))
            case Store(index, value):
                self.store(lanes, self.value(index, lanes), self.value(value, lanes))
            case If(condition, then, otherwise):
                yes, no = split(lanes, self.value(condition, lanes))
                return sorted(self.body(then, yes) + self.body(otherwise or [], no))
            case While(condition, body):
                return self.loop(lanes, condition, body, [], True)
            case DoWhile(body, condition):
                return self.loop(lanes, condition, body, [], False)
            case For(counter, limit, body):
                self.assign(counter, lanes, [0] * len(lanes))
                return self.loop(lanes, below(counter, limit), body, [counting(counter)], True)
            case Switch():
                return self.switch(s, lanes)
            case Jump(kind):
                self.left[kind] = self.left[kind] + lanes
                return []
            case Return(value):
                self.give(lanes, self.value(value, lanes))
                return []
        return lanes

    def loop(self, lanes, condition, body, after, is_checked):
        """`after` is what a round ends with; a loop that is not checked executes its body before its condition."""
        outer = self.left
        self.left = {'break': [], 'continue': []}
        out = []
        while lanes:
            self.wavefront.step()
            if is_checked:
                lanes, ended = split(lanes, self.value(condition, lanes))
                out += ended
            is_checked = True
            self.left['continue'] = []
            lanes = self.body(body, lanes)
            lanes = self.body(after, sorted(lanes + self.left['continue']))
        out = sorted(out + self.left['break'])
        self.left = outer
        return out

    def switch(self, s, lanes):
        value = dict(zip(lanes, self.value(s.value, lanes)))
        known = {label for arm in s.arms for label in arm.labels}
        others = [lane for lane in lanes if value[lane] not in known]
        out = [] if None in known else others
        inside = []
        for arm in s.arms:
            enter = [lane for lane in lanes if value[lane] in arm.labels] + (others if None in arm.labels else [])
            inside = self.body(arm.body, sorted(inside + enter))
            if not arm.falls:
                out, inside = out + inside, []
        return sorted(out)
