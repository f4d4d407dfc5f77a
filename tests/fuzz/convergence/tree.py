# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Random kernels.

A profile says which constructs there are beside those of `tame`: if, loops, flags, calls of helpers. With `w` in front
of its name there are more loops that serve the lanes of one value in each round (sl_first).
"""
from lanes import OPERATIONS
from nodes import (FLAGS, VARIABLES, And, Arm, Assign, Binary, Call, Choice, Constant, DoWhile, For, Function, If,
                   Input, Jump, Kernel, Memory, Not, Operation, Or, Return, Store, Switch, Variable, While, below,
                   counting)

PROFILES = {
    'tame': (),
    'chains': ('chains',),                                 # else-if chains that compare one value
    'logic': ('logic',),                                   # &&, || and ?:
    'switch': ('switch',),
    'jumps': ('jumps',),                                   # break and continue
    'returns': ('jumps', 'returns'),                       # early returns of helpers
    'mixed': ('logic', 'jumps', 'returns'),
    'all': ('logic', 'switch', 'jumps', 'returns'),
}

CONSTANTS = [0, 1, 2, 3, 5, 7, 63, 1000003]

# Where a statement is, as far as jumps go.
OUTSIDE, LOOP, SWITCH_IN_LOOP, SWITCH = range(4)


def features_of(profile):
    """The constructs of a profile, and whether it has more loops over values; None where there is no such profile."""
    serves = profile.startswith('w')
    features = PROFILES.get(profile[1:] if serves else profile)
    return None if features is None else (features, serves)


def leaves(body):
    return isinstance(body[-1], (Jump, Return))


class Maker:
    """Makes one kernel."""

    def __init__(self, dice, profile):
        features, self.serves = features_of(profile)
        self.dice = dice
        self.has_logic = 'logic' in features
        self.has_switch = 'switch' in features
        self.has_jumps = 'jumps' in features
        self.has_returns = 'returns' in features
        self.has_chains = 'chains' in features
        self.helpers = []
        self.in_kernel = False
        self.fresh_names = 0

    def kernel(self, name):
        for i in range(self.dice.choose([0, 0, 1, 2])):
            kind = self.dice.choose(['plain', 'noinline', 'always_inline'])
            self.helpers.append(self.function(f'{name}_{i}', kind, 2, 4))
        return Kernel(self.helpers + [self.function(name, 'kernel', 3, 6)])

    def function(self, name, kind, depth, most):
        self.in_kernel = kind == 'kernel'
        return Function(name, kind, self.body(depth, OUTSIDE, most) + [Return(Variable('h'))])

    def fresh(self, prefix):
        self.fresh_names += 1
        return f'{prefix}{self.fresh_names}'

    # ---- expressions ----

    def variable(self):
        return Variable(self.dice.choose(VARIABLES + FLAGS))

    def value(self, depth=2):
        """An expression without effects, and without branches but for those of the profile."""
        kind = self.dice.below(12)
        if depth == 0 or kind < 3:
            return self.variable() if self.dice.chance(75) else Constant(self.dice.choose(CONSTANTS))
        if kind < 8:
            return Binary(self.dice.choose('+-*^&|+^'), self.value(depth - 1), self.value(depth - 1))
        if kind == 8:
            return Binary(self.dice.choose(['<<', '>>']), self.value(depth - 1), Constant(1 + self.dice.below(12)))
        if kind == 9:
            return Input(self.value(depth - 1))
        if kind == 10 and self.in_kernel:
            return Memory(self.value(depth - 1))
        if kind == 11 and self.has_logic and self.dice.chance(50):
            return Choice(self.condition(), self.operand(depth), self.operand(depth))
        return self.variable()

    def operation(self):
        kind = self.dice.choose(OPERATIONS)
        return Operation(kind, self.value(1), self.value(1) if kind == 'shuffle' else None)

    def operand(self, depth=2):
        """A value, often that of a cross-lane operation or of a helper, which may have some."""
        if self.dice.chance(35):
            return self.operation()
        if self.helpers and self.dice.chance(12):
            return Call(self.dice.choose(self.helpers).name, self.value(1), self.value(1))
        return self.value(depth - 1)

    def comparison(self, left):
        return Binary(self.dice.choose(['==', '!=', '<']), left, Constant(1 + self.dice.below(3)))

    def simple_condition(self):
        kind = self.dice.below(9)
        if kind < 2:
            return Binary('&', self.variable(), Constant(1 << self.dice.below(5)))
        if kind < 4:
            flag = Variable(self.dice.choose(FLAGS))
            return self.dice.choose([flag, Not(flag), Binary('==', flag, Constant(self.dice.below(3)))])
        if kind < 5:
            return Binary('<', self.value(1), self.value(1))
        if kind < 7:
            return self.comparison(Binary('&', self.variable(), Constant(3)))
        if kind < 8:
            return Binary(self.dice.choose(['==', '!=', '<']), self.operation(), self.variable())
        return Binary('&', self.operation(), Constant(1 << self.dice.below(3)))

    def condition(self, depth=2):
        if self.has_logic and depth > 0 and self.dice.chance(40):
            return self.dice.choose([And, Or])(self.condition(depth - 1), self.condition(depth - 1))
        return self.simple_condition()

    # ---- statements: lists, since some need others in front of them ----

    def body(self, depth, place, most=4):
        statements = []
        for _ in range(1 + self.dice.below(most)):
            statements += self.statement(depth, place)
            if leaves(statements):
                break
        return statements

    def statement(self, depth, place):
        kind = self.dice.below(100)
        if depth > 0 and kind < 60:
            nested = self.nested(kind, depth, place)
            if nested is not None:
                return nested
        if self.has_jumps and place in (LOOP, SWITCH_IN_LOOP) and kind >= 92:
            return self.jump(place)
        if self.has_returns and not self.in_kernel and kind >= 88:
            return [If(self.condition(), [Return(self.value())], None)]
        if kind < 62:
            return [Assign(self.dice.choose(FLAGS), Constant(self.dice.below(3)))]
        if kind < 67 and self.in_kernel:
            return [Store(self.value(1), self.value())]
        if kind < 76:
            return [Assign(self.dice.choose(VARIABLES), self.value())]
        return [Assign('h', Binary('+', Binary('*', Variable('h'), Constant(33)), self.operand()))]

    def nested(self, kind, depth, place):
        """A statement that has others in it; None where this kind is not in the profile."""
        if kind < 22:
            then = self.body(depth - 1, place)
            return [If(self.condition(), then, self.body(depth - 1, place) if self.dice.chance(50) else None)]
        if kind < 44:
            return self.loop(depth)
        if kind < 54 and self.has_switch:
            return [self.switch(depth, place)]
        if kind >= 54 and self.has_chains:
            return self.chain(depth, place)
        return None

    def jump(self, place):
        """A break or a continue, mostly under a condition."""
        jump = Jump('break' if place == LOOP and self.dice.chance(60) else 'continue')
        if self.dice.chance(20):
            return [jump]
        body = [s for s in self.body(0, place, 2)[:2] if not isinstance(s, Jump)]
        return [If(self.condition(), body + [jump], None)]

    def chain(self, depth, place):
        """An if for each of some values of a variable, which a compiler may take for a switch."""
        name, scale = self.fresh('s'), self.dice.choose([1, 1, 37])
        values = list(range(16))
        otherwise = self.body(depth - 1, place, 2) if self.dice.chance(80) else None
        for _ in range(3 + self.dice.below(5)):
            test = Binary('==', Variable(name), Constant(self.dice.take(values) * scale))
            otherwise = [If(test, self.body(depth - 1, place, 2), otherwise)]
        scaled = Binary('*', Binary('&', self.value(1), Constant(15)), Constant(scale))
        return [Assign(name, scaled)] + otherwise

    def switch(self, depth, place):
        mask, scale = self.dice.choose([3, 7, 7, 15]), self.dice.choose([1, 1, 1, 37])
        inside = SWITCH_IN_LOOP if place in (LOOP, SWITCH_IN_LOOP) else SWITCH
        values = list(range(mask + 1))
        arms = []
        for _ in range(2 + self.dice.below(4)):
            labels = [self.dice.take(values) * scale for _ in range(min(len(values), 1 + self.dice.below(2)))]
            if labels:
                arms.append(Arm(labels, self.body(depth - 1, inside, 3), self.dice.chance(25)))
        if self.dice.chance(60):
            arms.insert(self.dice.below(len(arms) + 1),
                        Arm([None], self.body(depth - 1, inside, 2), self.dice.chance(25)))
        arms[-1] = arms[-1]._replace(falls=False)
        return Switch(Binary('*', Binary('&', self.value(1), Constant(mask)), Constant(scale)), arms)

    # ---- loops: few rounds, whose number depends on the lane ----

    def loop(self, depth):
        kind = self.dice.below(8)
        if kind < 4:
            return self.counted_loop(kind, depth)
        if kind == 4 or kind < 7 and self.serves:
            return self.serving_loop(depth)
        return self.flag_loop(depth)

    def counted_loop(self, kind, depth):
        counter, limit = self.fresh('n'), self.fresh('m')
        bound = Assign(limit, Binary('&', self.value(1), Constant(self.dice.choose([1, 3, 3, 7]))))
        body = self.body(depth - 1, LOOP)
        if kind < 2:
            return [bound, For(counter, Variable(limit), body)]
        start = [Assign(counter, Constant(0)), bound]
        again, body = below(counter, Variable(limit)), [counting(counter)] + body
        return start + [While(again, body) if kind == 2 else DoWhile(body, again)]

    def serving_loop(self, depth):
        """Each round serves the lanes whose value is that of the first. Nothing in its bodies may jump, since a lane
        that is first has to be done then."""
        done, key = self.fresh('f'), self.fresh('k')
        mine = Binary('==', Operation('first', Variable(key), None), Variable(key))
        then = self.body(depth - 1, OUTSIDE, 3)
        then.insert(self.dice.below(len(then) + 1 - leaves(then)), Assign(done, Constant(1)))
        otherwise = self.body(depth - 1, OUTSIDE, 2) if self.dice.chance(30) else None
        behind = self.body(depth - 1, OUTSIDE, 2) if self.dice.chance(40) else []
        return [Assign(done, Constant(0)), Assign(key, Binary('&', self.variable(), Constant(7))),
                While(Not(Variable(done)), [If(mine, then, otherwise)] + behind)]

    def flag_loop(self, depth):
        """Ends by a flag that the body sets, after some rounds in any case: that comes right behind the counting, so
        that no continue passes it by."""
        counter, done = self.fresh('n'), self.fresh('f')
        leave = Assign(done, Constant(1))
        enough = If(Binary('<', Constant(1 + self.dice.below(5)), Variable(counter)), [leave], None)
        body = [counting(counter), enough] + self.body(depth - 1, LOOP, 3)
        if leaves(body):
            body.pop()
        then = self.body(0, OUTSIDE, 2) + [leave]
        body.append(If(self.condition(), then, None if self.dice.chance(60) else self.body(0, OUTSIDE, 2)))
        again = Not(Variable(done))
        if self.has_logic and self.dice.chance(40):
            again = And(again, self.simple_condition())
        return [Assign(counter, Constant(0)), Assign(done, Constant(0)),
                While(again, body) if self.dice.chance(60) else DoWhile(body, again)]
