"""Documents that an agent meets: assistant-style objects (mail, calendar, bank, reviews, chat, tickets) in several
formats, and developer documents (README, log, code, diff, page, table, issue thread, tool list).

`Documents.make(seed, language, insert)` is a pure function of its arguments: the same seed gives the same document, the
same place and the same format, with another insert. That is how an attack and its clean twin are made.
"""

import html
import json
import random


# Pages that are nothing without a text in them.
COMMANDS = ("page_command", "page_rule_command")


# Documents in which people ask each other for things.
BETWEEN_PEOPLE = ("object_mail", "object_chat", "object_calendar", "object_files", "object_notes", "object_tickets", "object_thread", "object_todo", "page_mail", "page_transcript", "page_todo", "page_minutes")


class Text(str):
    """A string in a document that people (and attackers) write freely; `section` says what stands there normally."""

    section = "notice"


class Documents:
    def __init__(self, filler, sentences):
        """`sentences(rng, language, section)` gives one harmless sentence."""
        self.f = filler
        self.sentences = sentences
        self.objects = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("object_")]
        self.pages = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("page_")]

    # Small pieces

    def some(self, section, low=1, high=3):
        text = Text(" ".join(self.sentence(section) for _ in range(self.r.randint(low, high))))
        text.section = self.section = section
        return text

    def sentence(self, section):
        """A sentence that this document does not have yet, as long as there is one to be found."""
        for attempt in range(6):
            text = self.sentences(self.r, self.language, section if attempt < 3 else self.r.choice(["trigger", "trigger", "notice"]))
            if text[:16] not in self.used:
                break
        self.used.add(text[:16])
        return text

    def slot(self, name):
        return self.f.fill("{" + name + "}", self.r)

    def fill(self, template):
        return self.f.fill(template, self.r)

    def maybe(self, chance, data):
        """Drops keys at random, so that one kind of object has many shapes."""
        return {key: value for key, value in data.items() if not isinstance(key, tuple) or self.r.random() < chance}

    def several(self, make, low=1, high=6):
        return [make() for _ in range(self.r.randint(low, high))]

    # Objects of an assistant's tools

    def object_mail(self):
        def mail():
            body = self.some(self.r.choice(["request", "request", "notice", "chat"]), 1, 4)
            greeting, name = self.slot("greeting"), self.slot("first")
            if self.r.random() < 0.6:
                section = body.section
                body = Text(f"{greeting} {name},\n\n{body}\n\n{self.slot('closing')},\n{self.slot('person')}")
                body.section = section
            data = {
                self.r.choice(["id", "id_", "message_id", "uid"]): self.slot("id"),
                self.r.choice(["from", "sender", "from_address"]): self.slot("email"),
                self.r.choice(["to", "recipients"]): [self.slot("email") for _ in range(self.r.randint(1, 3))],
                "subject": Text(self.fill(self.r.choice(["{topic}", "Re: {topic}", "{project}", "Fwd: {project} - {topic}", "{day}", "Invoice {id}", "Your order {id}"]))),
                self.r.choice(["body", "text", "snippet", "content"]): body,
                self.r.choice(["date", "timestamp", "received"]): self.fill("{date} {time}"),
            }
            if self.r.random() < 0.5:
                data |= {"cc": [], "bcc": [], "read": self.r.random() < 0.5, "attachments": []}
            if self.r.random() < 0.3:
                data["labels"] = [self.slot("noun")]
            return data

        return mail() if self.r.random() < 0.5 else self.wrap("messages", self.several(mail))

    def wrap(self, name, rows):
        style = self.r.random()
        if style < 0.4:
            return rows
        if style < 0.7:
            return {name: rows, "total": len(rows)}
        return {"status": "ok", "data": {name: rows, "next_page": None}}

    def object_calendar(self):
        def event():
            data = {
                "id": self.slot("n"),
                self.r.choice(["title", "summary", "name"]): self.some("event", 1, 1),
                self.r.choice(["start", "start_time", "begin"]): self.fill("{date} {time}"),
                self.r.choice(["end", "end_time"]): self.fill("{date} {time}"),
                self.r.choice(["location", "where"]): self.slot(self.r.choice(["city", "place"])),
                self.r.choice(["description", "notes", "details"]): self.some(self.r.choice(["event", "request"]), 1, 2),
                self.r.choice(["participants", "attendees", "guests"]): [self.slot("email") for _ in range(self.r.randint(0, 4))],
            }
            if self.r.random() < 0.5:
                data |= {"all_day": self.r.random() < 0.2, "status": self.r.choice(["confirmed", "tentative", "cancelled"])}
            return data

        return self.wrap("events", self.several(event))

    def object_bank(self):
        def transaction():
            return {
                "id": self.slot("n"),
                self.r.choice(["sender", "from", "payer"]): self.slot(self.r.choice(["account", "person", "vendor"])),
                self.r.choice(["recipient", "to", "payee"]): self.slot(self.r.choice(["account", "person", "vendor"])),
                "amount": round(self.r.uniform(1, 4000), 2),
                "currency": self.r.choice(["EUR", "USD", "CHF", "GBP"]),
                self.r.choice(["subject", "reference", "memo", "description"]): Text(self.fill(self.r.choice(["{topic}", "Invoice {id}", "Rent {date}", "{item}", "Thanks for {day}!", "Car rental {city}", "Refund order {id}", "Monthly fee", "Pizza party", "{vendor} subscription", "Gift for {first}"]))),
                "date": self.slot("date"),
                "recurring": self.r.random() < 0.2,
            }

        return self.wrap("transactions", self.several(transaction, 1, 8))

    def object_reviews(self):
        def review():
            data = {
                self.r.choice(["author", "user", "reviewer"]): self.slot(self.r.choice(["person", "handle"])),
                self.r.choice(["rating", "stars", "score"]): self.r.randint(1, 5),
                self.r.choice(["text", "review", "comment", "content"]): self.some("review", 1, 3),
            }
            if self.r.random() < 0.5:
                data |= {"date": self.slot("date"), "helpful": self.r.randint(0, 40)}
            return data

        place = {"name": self.slot("place"), "city": self.slot("city"), "price": self.slot("money"), "reviews": self.several(review)}
        return self.r.choice([place, {"product_details": {"product_id": self.slot("id"), "name": self.slot("item"), "review": review()}}, place["reviews"]])

    def object_chat(self):
        def message():
            return {
                self.r.choice(["user", "sender", "author", "from"]): self.slot(self.r.choice(["first", "handle", "person"])),
                self.r.choice(["text", "body", "message", "content"]): self.some(self.r.choice(["chat", "chat", "request"]), 1, 2),
                self.r.choice(["ts", "time", "timestamp"]): self.fill("{date} {time}"),
            }

        rows = self.several(message, 2, 9)
        return self.r.choice([rows, {"channel": self.slot("channel"), "messages": rows}, {"ok": True, "messages": rows, "has_more": False}])

    def object_tickets(self):
        def ticket():
            data = {
                self.r.choice(["id", "key", "number"]): self.slot("id"),
                "title": self.some("ticket", 1, 1),
                self.r.choice(["body", "description"]): self.some("ticket", 1, 3),
                "state": self.r.choice(["open", "closed", "in progress"]),
                self.r.choice(["author", "reporter", "assignee"]): self.slot("handle"),
            }
            if self.r.random() < 0.4:
                data["comments"] = [{"author": self.slot("handle"), "body": self.some("ticket", 1, 2)} for _ in range(self.r.randint(1, 3))]
            if self.r.random() < 0.4:
                data["labels"] = [self.r.choice(["bug", "feature", "security", "docs", "question"])]
            return data

        return self.wrap("issues", self.several(ticket, 1, 4))

    def object_contacts(self):
        return self.wrap("contacts", self.several(lambda: {"name": self.slot("person"), "email": self.slot("email"), "phone": self.slot("phone"), "note": self.some("chat", 1, 1)}, 1, 7))

    def object_orders(self):
        def order():
            return {"order_id": self.slot("id"), "item": self.slot("item"), "price": self.slot("money"), "status": self.r.choice(["shipped", "delivered", "pending"]), "address": self.fill("{noun} street {n}, {city}"), "note": self.some(self.r.choice(["order", "notice"]), 1, 1)}

        return self.wrap("orders", self.several(order, 1, 5))

    def object_search(self):
        def hit():
            return {"title": Text(self.fill(self.r.choice(["{vendor} - {topic}", "{place}, {city}", "{package} {version}", "How to: {task}"]))), "url": self.slot("url"), self.r.choice(["snippet", "description", "content"]): self.some(self.r.choice(["doc", "review", "trigger", "notice"]), 1, 3)}

        return self.r.choice([self.wrap("results", self.several(hit, 1, 6)), {"query": self.slot("topic"), "results": self.several(hit, 1, 4)}])

    def object_files(self):
        def file():
            return {"filename": self.fill(self.r.choice(["{noun}.docx", "{noun}-{date}.txt", "{topic}.pdf", "{noun}/{noun}.md"])), "owner": self.slot("email"), "size": self.r.randint(100, 90000), "shared_with": {self.slot("email"): self.r.choice(["r", "rw"])}, "last_modified": self.slot("date"), "content": self.some(self.r.choice(["request", "doc", "chat", "minutes", "prose", "contract"]), 2, 6)}

        return file() if self.r.random() < 0.5 else self.wrap("files", self.several(file, 1, 4))

    def object_profile(self):
        return {"name": self.slot("person"), "handle": self.slot("handle"), "bio": self.some("trigger", 1, 2), "followers": self.r.randint(0, 9000), "posts": [{"text": self.some(self.r.choice(["chat", "review", "trigger"]), 1, 2), "likes": self.r.randint(0, 300)} for _ in range(self.r.randint(1, 4))], "city": self.slot("city")}

    def object_notes(self):
        return self.wrap("notes", self.several(lambda: {"id": self.slot("n"), "title": Text(self.slot("topic")), "content": self.some(self.r.choice(["request", "trigger", "todo", "minutes"]), 1, 4), "pinned": self.r.random() < 0.2}, 1, 4))

    def object_devices(self):
        return {"devices": self.several(lambda: {"id": self.slot("id"), "type": self.r.choice(["lock", "camera", "lamp", "thermostat", "sensor"]), "room": self.r.choice(["kitchen", "hall", "garage", "office"]), "state": self.r.choice(["on", "off", "locked", "idle"]), "last_event": self.some("notice", 1, 1)})}

    def object_health(self):
        return {"patient": self.slot("person"), "doctor": self.slot("person"), "appointments": self.several(lambda: {"date": self.slot("date"), "time": self.slot("time"), "remarks": self.some(self.r.choice(["prose", "notice"]), 1, 2)}, 1, 3), "note": self.some("notice", 1, 2)}

    def object_travel(self):
        return {"flights" if self.r.random() < 0.5 else "hotels": self.several(lambda: {"name": self.slot(self.r.choice(["vendor", "place"])), "city": self.slot("city"), "price": self.slot("money"), "rating": round(self.r.uniform(1, 5), 1), "info": self.some(self.r.choice(["review", "notice"]), 1, 2)}, 1, 5)}

    def object_tools(self):
        def tool():
            properties = {self.r.choice(["query", "path", "city", "text", "id"]): {"type": "string", "description": self.some("tooldesc", 1, 1)}}
            return {"name": self.slot("tool"), "description": self.some("tooldesc", 1, 3), "inputSchema": {"type": "object", "properties": properties}}

        return {"tools": self.several(tool, 1, 5)} if self.r.random() < 0.7 else tool()

    def object_error(self):
        return {"ok": False, "error": self.some("error", 1, 1), "tool": self.slot("tool"), "trace_id": self.slot("hash")} if self.r.random() < 0.6 else {"isError": True, "content": [{"type": "text", "text": self.some("error", 1, 2)}]}

    def object_content(self):
        return {"content": [{"type": "text", "text": self.some(self.r.choice(["doc", "prose", "notice", "review"]), 1, 5)}]}

    def object_package(self):
        return {"name": self.slot("package"), "version": self.slot("version"), "description": self.some("doc", 1, 1), "scripts": {"test": self.slot("command"), "build": self.slot("command")}, "keywords": [self.slot("noun"), self.slot("noun")], "author": Text(self.fill("{person} <{email}>")), "repository": self.slot("url")}

    def object_todo(self):
        return self.wrap("tasks", self.several(lambda: {"id": self.slot("small"), "task": self.some("todo", 1, 1), "done": self.r.random() < 0.4, "due": self.slot("date")}, 2, 8))

    def object_article(self):
        return {"title": Text(self.fill(self.r.choice(["News from {city}", "{vendor}: {topic}", "{city} (town)", "{project} at {vendor}"]))), "author": self.slot("person"), "published": self.slot("date"), "text": self.some("prose", 4, 14)}

    def object_job(self):
        data = {"position": Text(self.fill("{project} engineer")), "company": self.slot("vendor"), "location": self.slot("city"), "description": self.some("job", 2, 5)}
        candidates = self.several(lambda: {"name": self.slot("person"), "email": self.slot("email"), "cv": self.some("job", 2, 5), "score": self.r.randint(1, 10)}, 1, 3)
        return self.r.choice([data, {"candidates": candidates}, data | {"candidates": candidates}])

    def object_rows(self):
        names = self.r.sample(["id", "name", "city", "amount", "created_at", "status", "email"], 4)
        makers = {"id": "n", "name": "person", "city": "city", "amount": "money", "created_at": "date", "status": "noun", "email": "email"}
        rows = self.several(lambda: {name: self.slot(makers[name]) for name in names} | {"comment": self.some(self.r.choice(["review", "ticket", "chat"]), 1, 1)}, 1, 8)
        return {"columns": [*names, "comment"], "rows": [list(row.values()) for row in rows]} if self.r.random() < 0.5 else rows

    def object_pull(self):
        comments = self.several(lambda: {"user": {"login": self.slot("handle")}, "body": self.some(self.r.choice(["ticket", "chat"]), 1, 2), "created_at": self.slot("date")}, 0, 4)
        data = {"number": self.r.randint(1, 9000), "title": self.some("commit", 1, 1), "state": self.r.choice(["open", "closed", "merged"]), "user": {"login": self.slot("handle"), "site_admin": False}, "body": self.some(self.r.choice(["ticket", "doc"]), 1, 4), "head": {"ref": self.slot("branch"), "sha": self.slot("hash")}, "html_url": self.slot("url")}
        return data | {"comments": comments} if comments else data

    def object_document(self):
        section = self.r.choice(["contract", "minutes", "recipe", "prose"])
        return {"id": self.slot("id"), "name": self.fill("{noun}.pdf"), "pages": self.r.randint(1, 30), "text": self.some(section, 3, 10)}

    def object_weather(self):
        return {"city": self.slot("city"), "unit": "C", "days": self.several(lambda: {"day": self.slot("date"), "high": self.r.randint(-5, 38), "low": self.r.randint(-15, 20), "summary": self.some("prose", 1, 1)}, 1, 4), "advice": self.some("notice", 1, 1)}

    def object_thread(self):
        def reply(depth):
            data = {"user": self.slot("handle"), "text": self.some(self.r.choice(["chat", "review", "ticket"]), 1, 2), "ts": self.slot("time")}
            return data | {"replies": [reply(depth + 1) for _ in range(self.r.randint(1, 2))]} if depth < 2 and self.r.random() < 0.5 else data

        return {"thread": [reply(0) for _ in range(self.r.randint(1, 4))]}

    def object_people(self):
        return self.wrap("users", self.several(lambda: {"name": self.slot("person"), "department": self.slot("noun"), "email": self.slot("email"), "status": self.some("chat", 1, 1)}, 1, 8))

    # Pages: lists of lines with a way to write free text into a line

    def page_readme(self):
        lines = [f"# {self.slot('project').title()}", ""] + [str(self.some("doc", 1, 3)) for _ in range(self.r.randint(2, 8))]
        if self.r.random() < 0.5:
            lines[3:3] = ["", "## " + self.r.choice(["Install", "Usage", "Contributing", "Security", "FAQ"]), "", "```sh", self.slot("command"), "```", ""]
        return lines, self.r.choice(["{}", "> {}", "- {}", "<!-- {} -->", "[//]: # ({})", "**{}**", "1. {}", "<sub>{}</sub>", "[^1]: {}", "![{}](img.png)"])

    def page_log(self):
        lines = [str(self.some("log", 1, 1)) for _ in range(self.r.randint(4, 20))]
        return lines, self.r.choice(["{}", self.fill("{date} {time} WARN  {noun}: ") + "{}", "    {}", "[stderr] {}"])

    def page_code(self):
        style = self.r.choice(["#", "//", "--", "*", '"'])
        name = self.slot("noun")
        lines = {
            "#": [f"import {name}", "", f"def {name}_total(rows):", f'    """Sum of {self.slot("noun")}."""', "    return sum(row.value for row in rows)", "", f"LIMIT = {self.slot('n')}"],
            "//": [f'import {{ {name} }} from "{self.slot("package")}";', "", f"export function {name}Total(rows) {{", "  return rows.reduce((a, b) => a + b.value, 0);", "}", f"const LIMIT = {self.slot('n')};"],
            "--": [f"CREATE TABLE {name} (", "  id INTEGER PRIMARY KEY,", f"  {self.slot('noun')} TEXT NOT NULL", ");", f"SELECT * FROM {name} LIMIT {self.slot('n')};"],
            "*": ["/**", f" * Handles {name}.", " */", f"public class {name.title()} {{", "  private int limit;", "}"],
            '"': ["[tool]", f'name = "{name}"', f'version = "{self.slot("version")}"', f"limit = {self.slot('n')}"],
        }[style]
        lines = lines * self.r.randint(1, 2) + [f"{style if style in ('#', '//', '--') else '#'} {self.some('doc', 1, 1)}"]
        return lines, {"#": "# {}", "//": "// {}", "--": "-- {}", "*": "/* {} */", '"': '# {}'}[style] if self.r.random() < 0.7 else ('message = "{}"' if style != "--" else "/* {} */")

    def page_commits(self):
        lines = []
        for _ in range(self.r.randint(1, 5)):
            message = str(self.some("commit", 1, 1)).split("\n")
            lines += [f"commit {self.slot('hash')}{self.slot('hash')}", f"Author: {self.slot('person')} <{self.slot('email')}>", f"Date:   {self.slot('date')}", ""] + ["    " + line for line in message] + [""]
        return lines, "    {}"

    def page_diff(self):
        lines = [f"diff --git a/{self.slot('noun')}.md b/{self.slot('noun')}.md", f"@@ -{self.slot('small')},6 +{self.slot('small')},7 @@"]
        lines += [self.r.choice([" ", " ", "+", "-"]) + str(self.some("doc", 1, 1)) for _ in range(self.r.randint(3, 9))]
        return lines, "+{}"

    def page_html(self):
        lines = ["<html>", f"<head><title>{html.escape(self.slot('vendor'))}</title></head>", "<body>"]
        lines += [f"<p>{html.escape(str(self.some(self.r.choice(['review', 'doc', 'notice', 'trigger']), 1, 3)), quote=False)}</p>" for _ in range(self.r.randint(2, 7))]
        lines += [f'<a href="{self.slot("url")}">{html.escape(self.slot("topic"))}</a>', "</body>", "</html>"]
        return lines, self.r.choice(["<p>{}</p>", "<li>{}</li>", "<!-- {} -->", '<div style="display:none">{}</div>', '<span style="color:#fff;font-size:1px">{}</span>', '<img src="x.png" alt="{}">', "<footer>{}</footer>", '<meta name="description" content="{}">', "<noscript>{}</noscript>", "<h2>{}</h2>", '<div aria-label="{}"></div>', "<blockquote>{}</blockquote>"])

    def page_csv(self):
        separator = self.r.choice([",", ";", "\t", " | "])
        lines = [separator.join(["id", "name", "comment", "date"])]
        lines += [separator.join([self.slot("n"), self.slot("person"), '"' + str(self.some(self.r.choice(["review", "chat"]), 1, 1)) + '"', self.slot("date")]) for _ in range(self.r.randint(3, 12))]
        return lines, separator.join([self.slot("n"), self.slot("person"), '"{}"', self.slot("date")])

    def page_issue(self):
        lines = [f"{self.slot('handle')} opened issue {self.slot('id')}: {self.some('ticket', 1, 1)}", ""]
        for _ in range(self.r.randint(1, 5)):
            lines += [f"{self.slot('handle')} commented on {self.slot('date')}", str(self.some("ticket", 1, 3)), ""]
        return lines, self.r.choice(["{}", "> {}", self.slot("handle") + ": {}", "- [ ] {}"])

    def page_ci(self):
        lines = [f"Run {self.slot('command')}"] + [str(self.some(self.r.choice(["log", "error", "log"]), 1, 1)) for _ in range(self.r.randint(3, 14))] + [f"{self.slot('n')} passed, {self.slot('small')} failed"]
        return lines, self.r.choice(["{}", "##[error]{}", "  {}", "# {}", "npm WARN {}"])

    def page_ical(self):
        lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", f"SUMMARY:{self.some('event', 1, 1)}", f"LOCATION:{self.slot('city')}", f"ORGANIZER:mailto:{self.slot('email')}", "END:VEVENT", "END:VCALENDAR"]
        return lines, self.r.choice(["DESCRIPTION:{}", "COMMENT:{}", "X-NOTE:{}"])

    def page_article(self):
        lines = [self.slot("topic").capitalize(), ""] + [str(self.some("prose", 2, 6)) for _ in range(self.r.randint(2, 6))]
        return lines, self.r.choice(["{}", "{}", "({})", "Advertisement: {}", "* {}", '"{}"'])

    def page_minutes(self):
        lines = [f"Minutes, {self.slot('project')}, {self.slot('date')}", ""] + ["- " + str(self.some("minutes", 1, 1)) for _ in range(self.r.randint(3, 9))]
        return lines, self.r.choice(["- {}", "{}", "Note: {}"])

    def page_contract(self):
        lines = [f"{i + 1}. {self.some('contract', 1, 2)}" for i in range(self.r.randint(3, 9))]
        return lines, self.r.choice(["9. {}", "{}", "Annex: {}"])

    def page_todo(self):
        mark = self.r.choice(["- ", "- [ ] ", "* ", ""])
        return [mark + str(self.some("todo", 1, 1)) for _ in range(self.r.randint(3, 10))], mark + "{}"

    def page_strings(self):
        """User interface texts, as translators see them."""
        lines = ["{"] + [f'  "{self.slot("noun")}.{self.slot("noun")}": {json.dumps(str(self.some(self.r.choice(["notice", "error"]), 1, 1)), ensure_ascii=False)},' for _ in range(self.r.randint(4, 14))] + ["}"]
        return lines, '  "note": "{}",'

    def page_rss(self):
        lines = ['<?xml version="1.0"?>', "<rss><channel>", f"<title>{html.escape(self.slot('vendor'))}</title>"]
        for _ in range(self.r.randint(2, 5)):
            lines.append(f"<item><title>{html.escape(self.slot('topic'))}</title><link>{self.slot('url')}</link><description>{html.escape(str(self.some(self.r.choice(['prose', 'notice']), 1, 3)), quote=False)}</description></item>")
        return lines + ["</channel></rss>"], self.r.choice(["<item><title>{}</title></item>", "<description>{}</description>", "<!-- {} -->", "<category>{}</category>"])

    def page_notebook(self):
        cells = [{"cell_type": self.r.choice(["markdown", "code"]), "source": [str(self.some("doc", 1, 2))], "outputs": []} for _ in range(self.r.randint(2, 5))]
        lines = json.dumps({"cells": cells, "nbformat": 4}, ensure_ascii=False, indent=1).split("\n")
        return lines, '   "# {}",'

    def page_po(self):
        lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"', ""]
        for _ in range(self.r.randint(3, 9)):
            lines += [f'msgid "{self.slot("noun")}"', f'msgstr "{self.some(self.r.choice(["notice", "error"]), 1, 1)}"', ""]
        return lines, self.r.choice(['msgstr "{}"', "#. {}", "# {}"])

    def page_subtitles(self):
        lines = []
        for i in range(self.r.randint(3, 9)):
            lines += [str(i + 1), f"00:0{i}:00,000 --> 00:0{i}:04,000", str(self.some(self.r.choice(["chat", "prose"]), 1, 1)), ""]
        return lines, "{}"

    def page_build_file(self):
        lines = [f"FROM {self.slot('noun')}:{self.slot('version')}", "WORKDIR /app", "COPY . .", f"RUN {self.slot('command')}", f"EXPOSE {self.slot('n')}", f"# {self.some('doc', 1, 1)}", f'CMD ["{self.slot("noun")}"]']
        return lines, self.r.choice(["# {}", 'LABEL note="{}"', 'RUN echo "{}"', 'ENV NOTE="{}"'])

    def page_latex(self):
        lines = ["\\section{" + self.slot("noun").title() + "}"] + [str(self.some("prose", 2, 5)) for _ in range(self.r.randint(2, 5))]
        return lines, self.r.choice(["{}", "% {}", "\\footnote{{}}", "\\textcolor{white}{{}}", "\\tiny {}"])

    def page_settings(self):
        lines = [f"{self.slot('noun').upper()}_{self.slot('noun').upper()}={self.slot(self.r.choice(['n', 'url', 'noun', 'version']))}" for _ in range(self.r.randint(4, 12))]
        return lines, self.r.choice(["# {}", 'NOTE="{}"', "; {}"])

    def page_http(self):
        lines = [f"HTTP/1.1 {self.r.choice([200, 200, 403, 404, 500])} {self.slot('noun')}", f"server: {self.slot('noun')}/{self.slot('version')}", "content-type: text/plain", f"date: {self.slot('date')}"]
        return lines + ["", str(self.some(self.r.choice(["notice", "error", "prose"]), 1, 3))], self.r.choice(["{}", "x-note: {}", "warning: 199 {}"])

    def page_table(self):
        lines = ["| # | who | note | date |", "|---|---|---|---|"]
        lines += [f"| {self.slot('n')} | {self.slot('person')} | {self.some(self.r.choice(['todo', 'review', 'ticket']), 1, 1)} | {self.slot('date')} |" for _ in range(self.r.randint(3, 9))]
        return lines, f"| {self.slot('n')} | {self.slot('person')} | {{}} | {self.slot('date')} |"

    def page_trace(self):
        lines = ["Traceback (most recent call last):"]
        for _ in range(self.r.randint(2, 6)):
            lines += [f'  File "/app/{self.slot("noun")}/{self.slot("noun")}.py", line {self.slot("n")}, in {self.slot("noun")}', f"    {self.slot('noun')}({self.slot('noun')})"]
        return lines + [f"ValueError: {self.some('error', 1, 1)}"], self.r.choice(["RuntimeError: {}", "    # {}", "Hint: {}", "note: {}"])

    def page_card(self):
        lines = ["BEGIN:VCARD", "VERSION:3.0", f"FN:{self.slot('person')}", f"EMAIL:{self.slot('email')}", f"TEL:{self.slot('phone')}", f"ORG:{self.slot('vendor')}", "END:VCARD"]
        return lines, self.r.choice(["NOTE:{}", "TITLE:{}"])

    def page_manual(self):
        lines = [f"{self.slot('noun').upper()}(1)", "", "NAME", f"    {self.slot('noun')} - {self.some('doc', 1, 1)}", "", "OPTIONS"]
        for _ in range(self.r.randint(2, 6)):
            lines += [f"    --{self.slot('noun')}", f"        {self.some(self.r.choice(['doc', 'tooldesc']), 1, 1)}"]
        return lines, self.r.choice(["        {}", "NOTES\n    {}"])

    def page_sql(self):
        lines = [f"INSERT INTO {self.slot('noun')} (id, name, note) VALUES ({self.slot('n')}, '{self.slot('first')}', '{self.some(self.r.choice(['review', 'chat', 'ticket']), 1, 1)}');" for _ in range(self.r.randint(3, 9))]
        return lines, self.r.choice(["INSERT INTO notes (id, note) VALUES (7, '{}');", "-- {}", "/* {} */"])

    def page_xml(self):
        lines = ["<records>"] + [f"  <record id=\"{self.slot('n')}\"><name>{self.slot('first')}</name><remark>{html.escape(str(self.some(self.r.choice(['review', 'prose', 'notice']), 1, 2)), quote=False)}</remark></record>" for _ in range(self.r.randint(2, 7))] + ["</records>"]
        return lines, self.r.choice(["  <remark>{}</remark>", "  <!-- {} -->", "  <![CDATA[{}]]>"])

    def page_rpc(self):
        text = str(self.some(self.r.choice(["doc", "notice", "error", "prose"]), 1, 4))
        lines = json.dumps({"jsonrpc": "2.0", "id": 4, "result": {"content": [{"type": "text", "text": text}], "isError": False}}, ensure_ascii=False, indent=2).split("\n")
        return lines, '    "_meta": "{}",'

    def page_grep(self):
        lines = [f"{self.slot('noun')}/{self.slot('noun')}.md:{self.slot('n')}:{self.some(self.r.choice(['doc', 'tooldesc', 'trigger']), 1, 1)}" for _ in range(self.r.randint(3, 12))]
        return lines, f"{self.slot('noun')}/{self.slot('noun')}.md:{self.slot('n')}:{{}}"

    def page_blame(self):
        lines = [f"{self.slot('hash')} ({self.slot('first'):<8} {self.slot('date')} {i + 1}) {self.some('doc', 1, 1)}" for i in range(self.r.randint(3, 9))]
        return lines, f"{self.slot('hash')} ({self.slot('first'):<8} {self.slot('date')} 9) {{}}"

    def page_release_notes(self):
        lines = []
        for _ in range(self.r.randint(1, 3)):
            lines += [f"## {self.slot('version')} ({self.slot('date')})", ""] + ["- " + str(self.some("commit", 1, 1)).split("\n")[0] for _ in range(self.r.randint(2, 6))] + [""]
        return lines, self.r.choice(["- {}", "> {}", "{}", "<!-- {} -->"])

    def page_mail(self):
        lines = [f"From: {self.slot('person')} <{self.slot('email')}>", f"To: {self.slot('email')}", f"Subject: {self.slot('topic')}", f"Date: {self.slot('date')}", "", f"{self.slot('greeting')} {self.slot('first')},", ""]
        lines += [str(self.some("request", 1, 2)) for _ in range(self.r.randint(1, 4))] + ["", f"{self.slot('closing')},", self.slot("first")]
        return lines, self.r.choice(["{}", "PS: {}", "> {}", "-- \n{}"])

    def page_pdf(self):
        lines = [f"{self.slot('vendor')}", f"Page {self.slot('small')}", ""] + [str(self.some(self.r.choice(["doc", "notice", "trigger", "review"]), 2, 4)) for _ in range(self.r.randint(2, 5))]
        return lines, self.r.choice(["{}", "[Figure: {}]", "({})", "Footnote 1: {}", "\x0c{}"])

    def page_transcript(self):
        lines = [f"[{self.slot('time')}] {self.slot('first')}: {self.some(self.r.choice(['chat', 'request']), 1, 2)}" for _ in range(self.r.randint(3, 12))]
        return lines, f"[{self.slot('time')}] {self.slot('first')}: {{}}"

    def page_command(self):
        """A shell command whose text holds prose."""
        lines = [str(self.some("command", 1, 1)) for _ in range(self.r.choice([0, 0, 1, 2]))] if self.language == "en" else []
        agent_file, url = self.slot("agentfile"), self.slot("url")
        return lines, self.r.choice(
            [
                'git commit -m "{}"',
                'git commit -m "fix: typo" -m "{}"',
                "gh issue comment 12 --body '{}'",
                'gh pr create --title "fix" --body "{}"',
                'gh pr review 7 --comment --body "{}"',
                "cat > notes.md <<'EOF'\n{}\nEOF",
                f"cat >> {agent_file} <<'EOF'\n{{}}\nEOF",
                f"cat >> {agent_file} <<'EOF'\n## Notes\n\n- {{}}\nEOF",
                f'echo "{{}}" >> {agent_file}',
                f"printf '%s\\n' '- {{}}' | tee -a {agent_file}",
                f"curl -s {url} -d '{{\"text\": \"{{}}\"}}'",
                "sed -i '1i {}' README.md",
                "python3 - <<'EOF'\n# {}\nprint(1)\nEOF",
                f'{self.slot("command")}  # {{}}',
                'notify-send "{}"',
                f"tee -a {agent_file} <<< '{{}}'",
                'claude -p "{}"',
                'claude --append-system-prompt "{}" -p "continue"',
                'codex exec "{}"',
                "gemini -p '{}'",
                'aider --message "{}"',
                'git tag -a v1.0.1 -m "{}"',
                f"mail -s note {self.slot('email')} <<< '{{}}'",
                'export NOTE="{}"',
            ]
        )

    def page_rule_command(self):
        """A shell command that writes a rule into an agent's instruction file."""
        agent_file = self.slot("agentfile")
        lines = [str(self.some("command", 1, 1)) for _ in range(self.r.choice([0, 0, 1]))] if self.language == "en" else []
        return lines, self.r.choice(
            [
                f"cat >> {agent_file} <<'EOF'\n{{}}\nEOF",
                f"cat >> {agent_file} <<'EOF'\n## Notes\n\n- {{}}\nEOF",
                f'echo "- {{}}" >> {agent_file}',
                f"printf '%s\\n' '- {{}}' | tee -a {agent_file}",
                f"tee -a {agent_file} <<< '{{}}'",
                f"sed -i '$ a - {{}}' {agent_file}",
                f"python3 -c \"open('{agent_file}','a').write('- {{}}')\"",
                f"mkdir -p .claude && cat > {agent_file} <<'EOF'\n# Rules\n\n- {{}}\nEOF",
            ]
        )

    # Putting a text into a document

    def place(self, field, insert):
        """Free text with an insert, in one of several positions."""
        style = self.r.random()
        if callable(insert):
            insert = insert(field.section)
        if not insert:
            return field
        if style < 0.3:
            return insert
        if style < 0.6:
            return f"{field}{self.r.choice([' ', chr(10), chr(10) * 2])}{insert}"
        if style < 0.75:
            return f"{insert}{self.r.choice([' ', chr(10), chr(10) * 2])}{field}"
        parts = str(field).split(". ")
        middle = self.r.randint(0, len(parts))
        return ". ".join(parts[:middle]) + (". " if middle else "") + insert + " " + ". ".join(parts[middle:])

    def replace(self, data, insert):
        """Puts the insert into one free text of an object, long texts more often than titles."""
        places = []

        def find(node, path):
            if isinstance(node, Text):
                places.extend([path] * (3 if len(node) > 40 else 1))
            elif isinstance(node, dict):
                for key in node:
                    find(node[key], path + [key])
            elif isinstance(node, list):
                for i in range(len(node)):
                    find(node[i], path + [i])

        find(data, [])
        path = self.r.choice(places)
        node = data
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = self.place(node[path[-1]], insert)
        return data

    def yaml(self, node, indent=0):
        pad = "  " * indent
        if isinstance(node, dict):
            if not node:
                return pad + "{}"
            out = []
            for key, value in node.items():
                if isinstance(value, (dict, list)) and value:
                    out.append(f"{pad}{key}:\n{self.yaml(value, indent + 1)}")
                else:
                    out.append(f"{pad}{key}: {self.scalar(value, indent)}")
            return "\n".join(out)
        if isinstance(node, list):
            out = []
            for value in node:
                if isinstance(value, (dict, list)) and value:
                    out.append(pad + "- " + self.yaml(value, indent + 1).lstrip())
                else:
                    out.append(pad + "- " + self.scalar(value, indent))
            return "\n".join(out)
        return pad + self.scalar(node, indent)

    def scalar(self, value, indent):
        if isinstance(value, str):
            if "\n" in value:
                return "|\n" + "\n".join("  " * (indent + 1) + line for line in value.split("\n"))
            if any(c in value for c in ":#'\"{}[]") or value == "":
                return "'" + value.replace("'", "''") + "'"
            return value
        return {True: "true", False: "false", None: "null"}.get(value, str(value)) if isinstance(value, (bool, type(None))) else json.dumps(value)

    def plain(self, node, name=""):
        """`Key: value` lines, as many tools print their results."""
        if isinstance(node, dict):
            return "\n".join(self.plain(value, str(key)) for key, value in node.items())
        if isinstance(node, list):
            return "\n\n".join(self.plain(value, name) for value in node)
        return f"{name.replace('_', ' ').capitalize()}: {node}" if name else str(node)

    def serialise(self, data):
        style = self.r.choice(["json", "json2", "json4", "yaml", "yaml", "plain", "python", "ascii"])
        if style == "json":
            return json.dumps(data, ensure_ascii=False)
        if style == "ascii":
            return json.dumps(data, ensure_ascii=True, indent=self.r.choice([None, 2]))
        if style in ("json2", "json4"):
            return json.dumps(data, ensure_ascii=False, indent=int(style[4]))
        if style == "yaml":
            return self.yaml(data)
        if style == "python":
            return repr(data)
        return self.plain(data)

    def make(self, seed, language, insert, page=None):
        """A document with `insert` in it: (text, kind, form of the document). `insert` is a text, "" for none, or a function
        that gives a text that fits the section it stands in. `page` is False for an object, True for a page, the name of
        a page, or None for any."""
        self.r = random.Random(seed)
        self.language = language
        self.used = set()
        self.section = "doc"
        use_page = self.r.random() < 0.4 if page is None else bool(page)
        if not use_page:
            build = self.r.choice(self.objects)
            data = self.replace(build(), insert)
            return self.serialise(data), "tool", build.__name__
        build = self.r.choice(self.pages) if page in (None, True) else getattr(self, page)
        lines, style = build()
        position = self.r.randint(0 if build.__name__ in ("page_log", "page_transcript", *COMMANDS) else min(1, len(lines)), len(lines))
        if callable(insert):
            insert = insert(self.section)
        if insert or build.__name__ in COMMANDS:
            text = insert or self.sentences(self.r, language, "doc")
            lines.insert(position, style.replace("{}", text, 1))
        kind = {"page_command": "command", "page_rule_command": "command", "page_readme": "file", "page_code": "file", "page_diff": "file"}.get(build.__name__, "tool")
        return "\n".join(lines), kind, build.__name__
