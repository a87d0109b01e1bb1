"""The console as its forms see it: a session by plain HTTP, without a browser."""
import html
import re
import urllib.parse

import client

FORM = "application/x-www-form-urlencoded"


class Session:
    """Somebody who signs in at a listener, or has a cookie from elsewhere."""

    def __init__(self, place, key=None):
        self.place = place
        self.cookie = None
        if key is not None:
            answer = self.post("/admin/sign-in", {"key": key}, token=False)
            assert answer.status == 303, answer
            self.cookie = answer["set-cookie"].split(";")[0]

    def request(self, method, path, body=None, **headers):
        named = [(name.replace("_", "-"), value) for name, value in headers.items()]
        named.append(("Accept", "text/html"))
        if self.cookie:
            named.append(("Cookie", self.cookie))
        if body is not None:
            named.append(("Content-Type", FORM))
        return client.request(self.place, method, path, named, body)

    def get(self, path, **headers):
        return self.request("GET", path, **headers)

    def fields(self, path, action=None):
        """The hidden fields of a page's form, as a browser would send them back."""
        text = self.get(path).text
        for form in re.findall(r"<form\b.*?</form>", text, re.S):
            if f'action="{html.escape(action or path.split("?")[0])}"' in form and 'method="post"' in form:
                return {html.unescape(name): html.unescape(value) for name, value in
                        re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)}
        raise AssertionError(f"{path} has no form to {action or path}")

    def post(self, path, fields, token=True, page=None, **headers):
        """Sends a form, with the hidden fields of its page."""
        sent = {**(self.fields(page or path, path) if token else {}), **fields}
        return self.request("POST", path, urllib.parse.urlencode(sent, doseq=True).encode(), **headers)
