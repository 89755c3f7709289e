"""A cache that forgets what was not asked for lately."""

from collections import OrderedDict


class LRUCache:
    """Keeps at most `size` entries; the one not used for longest goes first."""

    def __init__(self, size):
        self.size = size
        self.entries = OrderedDict()

    def get(self, key, default=None):
        if key not in self.entries:
            return default
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key, value):
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.size:
            self.evict()

    def evict(self):
        """Drop the least recently used entry."""
        self.entries.popitem(last=False)
