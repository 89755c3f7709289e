"""The texts that the model for text is taught with: see text.py.

What packages are, in a line and in full; sections of manuals with their headings, first
sentences, comments and dictionary glosses, of what eval/embedding fetched; and of the public
repositories of packages/prose.txt the paragraphs of their documents and what their commits say.
Nothing that names a project that search is measured on, and of no project whose notes or
documentation a set of eval asks about.
"""
import gzip, hashlib, os, random, re, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def measured():
    source = open(os.path.join(HERE, "excluded.go"), encoding="utf8").read()
    names = {w for block in re.findall(r"strings.Fields\(`(.*?)`\)", source, re.S) for w in block.split()}
    return re.compile(r"(?<![a-z0-9])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(?![a-z0-9])")


def cut(s, n):
    return s if len(s) <= n else s[:max(s.rfind(" ", 0, n), n // 2)]


def clean(s):
    s = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", s)
    s = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", s)
    s = re.sub(r"<[^>]{1,200}>|https?://\S+", "", s)
    return " ".join(re.sub(r"[*_`|]{1,3}", " ", s).split())


def git(repo, *args):
    return subprocess.run(["git", "--git-dir", repo, *args], capture_output=True, text=True, errors="replace").stdout


trailer = re.compile(r"(signed-off-by|co-authored-by|change-id|reviewed|closes|fixes|resolves|bumps|git-svn|dependabot|updated-dependencies|---)", re.I)
routine = re.compile(r"(merge|bump|release|version|update dependency|v?\d|chore\(deps|build\(deps)", re.I)


def commits(repo, chance):
    """What 5,000 commits of a repository say; of those that have a subject alone, two in five."""
    out = []
    for record in git(repo, "log", "-n", "12000", "--no-merges", "--format=%s%x01%b%x00").split("\0"):
        subject, mark, body = record.strip().partition("\1")
        subject = re.sub(r"\s*\(#\d+\)$", "", subject)
        if not mark or routine.match(subject):
            continue
        said = [clean(p) for p in re.split(r"\n\s*\n", body) if not trailer.match(p.strip()) and sum(c.isalpha() or c == " " for c in p) > .75 * len(p)]
        said = [p for p in said if len(p) > 50]
        if said:
            out.append(cut(subject + ". " + " ".join(said), chance.choice([200, 350, 600])))
        elif len(subject) > 28 and chance.random() < .4:
            out.append(subject)
    chance.shuffle(out)
    return out[:5000]


kept = re.compile(r"\.(md|mdx|rst|adoc|markdown)$|doc.*\.txt$", re.I)
left = re.compile(r"changelog|changes|history|licen|vendor/|node_modules|third_party|test|fixture|i18n/|/(zh|ja|ko|fr|de|es|pt|ru|it|tr|fa|ar|id|vi|uk|pl)([-_][a-z]+)?/|"
                  r"/news|release|authors|contributors|copying", re.I)


def documents(repo, chance):
    """6,000 paragraphs of a repository's documents, half of them with their heading."""
    out, n = [], 0
    for line in git(repo, "ls-tree", "-r", "-l", "HEAD").splitlines():
        (_, kind, blob, size), name = line.split("\t", 1)[0].split(), line.split("\t", 1)[1]
        if kind != "blob" or not kept.search(name) or left.search(name) or not 300 < int(size) < 300000 or n == 1500:
            continue
        n += 1
        text = re.sub(r"^---\n.*?\n---\n", "", git(repo, "cat-file", "blob", blob), flags=re.S)
        text = re.sub(r"(```|~~~).*?(```|~~~|\Z)", "\n\n", text, flags=re.S)
        head = ""
        for p in re.split(r"\n\s*\n", re.sub(r"^( {4}|\t).*$", "", text, flags=re.M)):
            mark = re.match(r"^(#+|=+)\s+(.+?)\s*#*\s*$", p.strip().split("\n")[0])
            under = re.match(r"^(.+)\n[=\-~^\"]{3,}\s*$", p.strip())
            if mark:
                head, p = clean(mark.group(2)), "\n".join(p.strip().split("\n")[1:])
            elif under:
                head = clean(under.group(1))
                continue
            p = clean(re.sub(r"^\s*([-*+]|\d+\.)\s+", "", p, flags=re.M))
            if len(p) < 60 or sum(c.isalpha() or c in " ,." for c in p) < .85 * len(p) or sum(ord(c) > 0x2fff for c in p) > 5:
                continue
            out.append(cut((head + ". " if head and chance.random() < .5 else "") + p, chance.choice([160, 300, 500, 800])))
    chance.shuffle(out)
    return out[:6000]


def repositories(folder, mirrors):
    """The texts of the repositories, which are cloned where mirrors has no OWNER+NAME/repo."""
    seen = set()
    for line in open(os.path.join(HERE, "packages/prose.txt"), encoding="utf8"):
        name = line.split("#")[0].strip()
        if not name:
            continue
        repo = os.path.join(mirrors or os.path.join(folder, "prose"), name.replace("/", "+"), "repo")
        if not os.path.isdir(repo):
            subprocess.run(["git", "clone", "-q", "--bare", "--", "https://github.com/" + name, repo], check=True)
        chance = random.Random(name)
        for t in commits(repo, chance) + documents(repo, chance):
            key = hashlib.md5(re.sub(r"\W+", "", t[:80].lower()).encode()).digest()[:8]
            if key not in seen and len(t) >= 24:
                seen.add(key)
                yield t


def pairs(folder):
    """Of the pairs that the model for code is taught with those of text, either side or both."""
    chance, of = random.Random(5), {}
    for record in gzip.open(os.path.join(folder, "pairs.tsv.gz"), "rt", encoding="utf8", errors="replace"):
        kind, _, _, query, text = record.rstrip("\n").split("\t")
        of.setdefault(kind, []).append((query, text))
    for kind, most, parts in (
        ("heading-section", None, lambda q, t: [cut(q + ". " + t, chance.choice([200, 400, 700]))]),
        ("lead-rest", None, lambda q, t: [cut(q, 200), cut(t, 400)]),
        ("short-long", None, lambda q, t: [q, cut(t, chance.choice([250, 450]))]),
        ("doc-code", None, lambda q, t: [cut(q, 250)]),
        ("gloss", 140000, lambda q, t: [cut(q + ": " + t, 160)]),
        ("question-answer", None, lambda q, t: [q, cut(t, 400)]),
        ("option-text", None, lambda q, t: [cut(t, 300)]),
    ):
        chance.shuffle(of[kind])
        for query, text in of[kind][:most]:
            yield from (p for p in parts(query, text) if len(p) >= 15)


def packages(folder):
    """What Debian's packages are, a paragraph each, three in ten with the line before it."""
    chance, seen = random.Random(6), set()
    for record in open(os.path.join(folder, "src/debian/Translation-en/usr/share/dictd/descriptions.txt"), encoding="utf8", errors="replace").read().split("\n\n"):
        m = re.match(r"Package: (\S+)\n.*?Description-en: (.*?)\n(.*)", record, re.S)
        if not m or re.search(r"-(dbg|dbgsym|data|l10n.*|locale.*|i18n)$|^librust-", m.group(1)):
            continue
        for p in re.split(r"\n \.\n", m.group(3)):
            p = " ".join(p.split())
            if len(p) >= 60 and not p.startswith("This package") and p[:80] not in seen:
                seen.add(p[:80])
                yield cut(m.group(2) + ". " + p if chance.random() < .3 else p, 500)


def texts(folder, mirrors):
    of_a_measured = measured()
    out = [t for some in (pairs(folder), packages(folder), repositories(folder, mirrors)) for t in some if not of_a_measured.search(t.lower())]
    random.Random(5).shuffle(out)
    return out
