"""A client of the Language Server Protocol, as small as tests need it: it starts `kasc lsp` and speaks to it."""

import json
import queue
import subprocess
import threading


class Client:
    def __init__(self, command, options=None, begin=True):
        self.process = subprocess.Popen(
            [command, "lsp", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.messages = queue.Queue()
        self.waiting = []  # messages that came and were not asked for yet
        self.last_id = 0
        threading.Thread(target=self.receive, daemon=True).start()
        if begin:
            self.capabilities = self.request("initialize", {"capabilities": {}, "initializationOptions": options})["capabilities"]
            self.notify("initialized", {})

    def receive(self):
        out = self.process.stdout
        while True:
            header = b""
            while not header.endswith(b"\r\n\r\n"):
                byte = out.read(1)
                if not byte:
                    self.messages.put(None)
                    return
                header += byte
            fields = dict(line.split(": ", 1) for line in header.decode("ascii").split("\r\n") if line)
            self.messages.put(json.loads(out.read(int(fields["Content-Length"])).decode("utf-8")))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message, ensure_ascii=False).encode("utf-8")
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, parameters):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def wait(self, wanted):
        """The first message that is wanted, of those that came and those that come."""
        for message in self.waiting:
            if wanted(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self.messages.get(timeout=30)
            assert message is not None, "the server has ended: " + self.process.stderr.read().decode()
            if wanted(message):
                return message
            self.waiting.append(message)

    def ask(self, method, parameters):
        """The whole answer to a request."""
        self.last_id += 1
        asked = self.last_id
        self.send({"jsonrpc": "2.0", "id": asked, "method": method, "params": parameters})
        return self.wait(lambda m: m.get("id") == asked)

    def request(self, method, parameters):
        answer = self.ask(method, parameters)
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self, uri, version):
        said = self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri
            and m["params"].get("version") == version
        )
        return said["params"]["diagnostics"]

    def end(self):
        """The status of the process after an orderly end."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=10)


class Text:
    """A text that is open in the server, and changed here and there alike."""

    def __init__(self, client, uri, text, said=True):
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "kasc", "version": 1, "text": text}})
        self.diagnostics = client.diagnostics(uri, 1) if said else None

    def position(self, offset):
        before = self.text[:offset]
        line = before.rsplit("\n", 1)[-1]
        return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}

    def offset(self, position):
        lines = self.text.split("\n")
        line = lines[position["line"]].encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[: position["line"]]) + len(line)

    def place(self, mark, within=None):
        """Of the first `mark`, in the first `within`."""
        start = self.text.index(within) if within else 0
        return self.text.index(mark, start)

    def at(self, mark, within=None, behind=0):
        return {"textDocument": {"uri": self.uri}, "position": self.position(self.place(mark, within) + behind)}

    def covered(self, span):
        return self.text[self.offset(span["start"]) : self.offset(span["end"])]

    def edit(self, old, new, said=True):
        """An incremental change of the first `old`."""
        begin = self.place(old)
        span = {"start": self.position(begin), "end": self.position(begin + len(old))}
        self.text = self.text[:begin] + new + self.text[begin + len(old) :]
        return self.changed([{"range": span, "text": new}], said)

    def replace(self, text, said=True):
        self.text = text
        return self.changed([{"text": text}], said)

    def changed(self, changes, said=True):
        self.version += 1
        self.client.notify(
            "textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": changes}
        )
        if said:
            self.diagnostics = self.client.diagnostics(self.uri, self.version)
        return self.diagnostics

    def hover(self, mark, within=None):
        result = self.client.request("textDocument/hover", self.at(mark, within))
        return result["contents"]["value"] if result else None

    def definition(self, mark, within=None):
        return self.client.request("textDocument/definition", self.at(mark, within))

    def completion(self, mark, within=None, behind=0):
        items = self.client.request("textDocument/completion", self.at(mark, within, behind))
        return {item["label"]: item for item in items}
