"""What pyright's language server knows of the calls in a project."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.parse

WINDOW = 64  # questions that wait for an answer


class Server:
    """A language server, spoken to over its pipes."""

    def __init__(self, package, root, site):
        self.process = subprocess.Popen(
            ["node", os.path.join(package, "langserver.index.js"), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.next = 0
        paths = [os.path.join(root, "src"), *map(os.path.abspath, site)]
        self.settings = {
            "python": {"pythonPath": sys.executable, "analysis": {}},
            "python.analysis": {"extraPaths": paths, "diagnosticMode": "openFilesOnly", "typeCheckingMode": "off", "useLibraryCodeForTypes": True},
        }
        self.settings["python"]["analysis"] = self.settings["python.analysis"]
        folder = {"uri": pathlib.Path(root).as_uri(), "name": "root"}
        wanted = {"workspace": {"configuration": True, "workspaceFolders": True}, "textDocument": {"definition": {"linkSupport": False}}}
        start = self.ask("initialize", {"processId": os.getpid(), "rootUri": folder["uri"], "workspaceFolders": [folder], "capabilities": wanted})
        self.answers({start})
        self.say("initialized", {})

    def send(self, message):
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(raw) + raw)
        self.process.stdin.flush()

    def say(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.next += 1
        self.send({"id": self.next, "method": method, "params": params})
        return self.next

    def receive(self):
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(size))

    def answers(self, waiting):
        """Return the answers to all questions that wait; what the server asks meanwhile is answered."""
        out = {}
        while waiting - out.keys():
            m = self.receive()
            if "method" not in m:
                out[m["id"]] = m.get("result")
            elif "id" in m:
                result = None
                if m["method"] == "workspace/configuration":
                    result = [self.settings.get(i.get("section")) for i in m["params"]["items"]]
                self.send({"id": m["id"], "result": result})
        return out


def located(location, root):
    """Return the file below root, or None, with the line and column of a location."""
    path = urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path)
    start = location["range"]["start"]
    inside = path.startswith(root + "/")
    return path[len(root) + 1 :] if inside else None, start["line"] + 1, start["character"]


def pyright(package, root, site, files):
    """Return for each call of some files the definitions that it means, and whether one is outside of the project."""
    server = Server(package, root, site)
    out = {}
    for file, index in files.items():
        uri = pathlib.Path(root, file).as_uri()
        text = "\n".join(index.lines)
        server.say("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        for i in range(0, len(index.sites), WINDOW):
            asked = {}
            for site in index.sites[i : i + WINDOW]:
                if index.written(site):
                    before = index.lines[site.line - 1].encode()[: site.end - len(site.name.encode())].decode()
                    at = {"line": site.line - 1, "character": len(before.encode("utf-16-le")) // 2}
                    asked[server.ask("textDocument/definition", {"textDocument": {"uri": uri}, "position": at})] = site
            for n, locations in server.answers(set(asked)).items():
                site = asked[n]
                found, outside = [], False
                for there, line, column in (located(x, root) for x in locations or []):
                    if there is None:
                        outside = True
                        continue
                    name = word(files[there].lines[line - 1], column) if there in files else ""
                    found.append((there, line, name))
                out[site.place(), site.name] = [f for f in found if f[:2] != (site.file, site.line) or f[2] != site.name or defines(files, f)], outside
        server.say("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.process.stdin.close()
    server.process.kill()
    server.process.wait()
    return out


def defines(files, at):
    file, line, name = at
    return file in files and (line, name) in files[file].definitions


def word(line, column):
    """Return the name that starts at a column."""
    end = column
    while end < len(line) and (line[end].isalnum() or line[end] == "_"):
        end += 1
    return line[column:end]
