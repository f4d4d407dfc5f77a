# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
"""Random choices that depend on a key alone: Python's own random module may choose otherwise in another version."""
import hashlib

MASK64 = (1 << 64) - 1


class Dice:
    """The generator splitmix64."""

    def __init__(self, *key):
        text = ' '.join(str(part) for part in key)
        self.state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], 'little')

    def word(self):
        self.state = (self.state + 0x9e3779b97f4a7c15) & MASK64
        z = self.state
        z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & MASK64
        z = ((z ^ z >> 27) * 0x94d049bb133111eb) & MASK64
        return z ^ z >> 31

    def below(self, limit):
        return (self.word() >> 16) % limit

    def chance(self, percent):
        return self.below(100) < percent

    def choose(self, values):
        return values[self.below(len(values))]

    def take(self, values):
        """Removes one of the values and returns it."""
        return values.pop(self.below(len(values)))
