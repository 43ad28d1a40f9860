"""What the tests share: clients of the server that ARCHIVOLT_URL names, and a folder for each test class."""

import os
import unittest
import uuid

from nuxeo.client import Nuxeo
from nuxeo.exceptions import HTTPError
from nuxeo.models import Document, User

WORKSPACES = "/default-domain/workspaces"
PASSWORD = "a-test-password"


def client_of(username, password):
    return Nuxeo(auth=(username, password), host=os.environ["ARCHIVOLT_URL"])


def unique(name):
    return f"{name}-{uuid.uuid4().hex[:8]}"


class WireTest(unittest.TestCase):
    """A test with the administrator's client and a workspace of its own."""

    @classmethod
    def setUpClass(cls):
        cls.server = client_of("Administrator", os.environ["ARCHIVOLT_PASSWORD"])
        cls.workspace = cls.server.documents.create(
            Document(name=unique("python"), type="Workspace", properties={"dc:title": "Python"}),
            parent_path=WORKSPACES,
        )

    @classmethod
    def tearDownClass(cls):
        cls.server.documents.delete(cls.workspace.uid)

    def new_document(self, type="File", parent=None, **properties):
        name = unique("document")
        document = Document(name=name, type=type, properties={"dc:title": name, **properties})
        return self.server.documents.create(document, parent_path=(parent or self.workspace).path)

    def new_user(self, *groups):
        """The client of a new user."""
        username = unique("user")
        self.server.users.create(
            User(properties={"username": username, "password": PASSWORD, "groups": list(groups)})
        )
        self.addCleanup(self.server.users.delete, username)
        return username, client_of(username, PASSWORD)

    def assertRefused(self, status, call, *args, **kwargs):
        with self.assertRaises(HTTPError) as refusal:
            call(*args, **kwargs)
        self.assertEqual(refusal.exception.status, status, refusal.exception.message)
        return refusal.exception
