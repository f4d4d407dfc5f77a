# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""The control flow graph of a function's source.

Each &&, || and ?: is a branch, and a switch is one branch with as many ways as it has arms.
"""
from typing import NamedTuple

from nodes import (And, Assign, Choice, Constant, DoWhile, For, If, Jump, Not, Or, Return, Store, Switch, Variable,
                   While, below, counting)

EXIT = 0


class Go(NamedTuple):
    to: int

    def successors(self):
        return [self.to]


class Branch(NamedTuple):
    condition: tuple
    yes: int
    no: int

    def successors(self):
        return [self.yes, self.no]


class Ways(NamedTuple):
    value: tuple
    targets: dict  # block by value
    otherwise: int

    def successors(self):
        return list(self.targets.values()) + [self.otherwise]


class Graph:
    """`blocks` are lists of statements without branches in them, `ends` what comes behind each: Go, Branch or Ways.
    Block EXIT is the function's end."""

    def __init__(self, function):
        self.blocks = [[]]
        self.ends = [None]
        self.temporaries = 0
        self.targets = {'break': [], 'continue': []}
        self.entry = self.at = self.new()
        self.body(function.body)
        self.end(Go(EXIT))

    def successors(self, block):
        return [] if block == EXIT else self.ends[block].successors()

    # ---- building: what comes next goes into block `at` ----

    def new(self):
        self.blocks.append([])
        self.ends.append(None)
        return len(self.blocks) - 1

    def end(self, last):
        if self.ends[self.at] is None:
            self.ends[self.at] = last

    def begin(self, block):
        self.end(Go(block))
        self.at = block

    def leave(self, block):
        """What follows a jump is a block that nothing leads to."""
        self.end(Go(block))
        self.at = self.new()

    def simple(self, x):
        """The expression without &&, || and ?:, whose branches come before it."""
        match x:
            case Choice(condition, yes, no):
                return self.choose(condition, yes, no)
            case And() | Or():
                return self.choose(x, Constant(1), Constant(0))
        return type(x)(*(self.simple(part) if isinstance(part, tuple) else part for part in x))

    def choose(self, condition, yes, no):
        self.temporaries += 1
        temporary = f't{self.temporaries}'
        one, other, behind = self.new(), self.new(), self.new()
        self.branch(condition, one, other)
        for block, value in ((one, yes), (other, no)):
            self.at = block
            self.add(Assign(temporary, self.simple(value)))
            self.end(Go(behind))
        self.at = behind
        return Variable(temporary)

    def add(self, statement):
        self.blocks[self.at].append(statement)

    def branch(self, condition, yes, no):
        match condition:
            case Not(operand):
                self.branch(operand, no, yes)
            case And(left, right):
                second = self.new()
                self.branch(left, second, no)
                self.at = second
                self.branch(right, yes, no)
            case Or(left, right):
                second = self.new()
                self.branch(left, yes, second)
                self.at = second
                self.branch(right, yes, no)
            case _:
                self.end(Branch(self.simple(condition), yes, no))

    def body(self, statements):
        for s in statements:
            self.statement(s)

    def statement(self, s):
        match s:
            case Assign(name, value):
                self.add(Assign(name, self.simple(value)))
            case Store(index, value):
                index = self.simple(index)
                self.add(Store(index, self.simple(value)))
            case If():
                self.condition(s)
            case While(condition, body):
                self.loop(condition, body, [], True)
            case DoWhile(body, condition):
                self.loop(condition, body, [], False)
            case For(counter, limit, body):
                self.add(Assign(counter, Constant(0)))
                self.loop(below(counter, limit), body, [counting(counter)], True)
            case Switch():
                self.switch(s)
            case Jump(kind):
                self.leave(self.targets[kind][-1])
            case Return(value):
                self.add(Return(self.simple(value)))
                self.leave(EXIT)

    def condition(self, s):
        yes, behind = self.new(), self.new()
        no = behind if s.otherwise is None else self.new()
        self.branch(s.condition, yes, no)
        self.at = yes
        self.body(s.then)
        if s.otherwise is not None:
            self.end(Go(behind))
            self.at = no
            self.body(s.otherwise)
        self.begin(behind)

    def loop(self, condition, body, after, is_checked):
        head, inside, following, behind = self.new(), self.new(), self.new(), self.new()
        self.begin(head if is_checked else inside)
        if is_checked:
            self.branch(condition, inside, behind)
            self.at = inside
        self.targets['break'].append(behind)
        self.targets['continue'].append(following)
        self.body(body)
        self.targets['break'].pop()
        self.targets['continue'].pop()
        self.begin(following)
        self.body(after)
        if is_checked:
            self.end(Go(head))
        else:
            self.branch(condition, inside, behind)
        self.at = behind

    def switch(self, s):
        value = self.simple(s.value)
        arms = [self.new() for _ in s.arms]
        behind = self.new()
        targets = {label: block for block, arm in zip(arms, s.arms) for label in arm.labels}
        otherwise = targets.pop(None, behind)
        self.end(Ways(value, targets, otherwise))
        for i, arm in enumerate(s.arms):
            self.at = arms[i]
            self.body(arm.body)
            self.end(Go(arms[i + 1] if arm.falls else behind))
        self.at = behind
