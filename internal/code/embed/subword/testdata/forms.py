# Writes ../forms.txt from Python's copy of the Unicode Character Database.
import sys
import unicodedata as u

out = []
classes = []
for c in range(0x110000):
    ch = chr(c)
    d = u.decomposition(ch)
    if d and not 0xAC00 <= c <= 0xD7A3:
        like = d.startswith("<")
        to = [x.lstrip("0") for x in d.split() if not x.startswith("<")]
        # What is never composed again: singletons and the composition exclusions.
        mark = "~" if like else "=" if u.normalize("NFC", ch) == ch else "!"
        out.append("%X%s%s" % (c, mark, " ".join(to)))
    k = u.combining(ch)
    if k:
        if classes and classes[-1][0] == k and classes[-1][2] == c - 1 and c - classes[-1][1] < 200:
            classes[-1][2] = c
        else:
            classes.append([k, c, c])
out += ["%d %X-%X" % tuple(x) for x in classes]
open(sys.argv[1], "w").write("\n".join(out) + "\n")
