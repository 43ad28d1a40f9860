import hashlib
import os
import tempfile

from nuxeo.exceptions import BadQuery
from nuxeo.operations import PARAM_TYPES

from support import WireTest, unique

CHAIN = """
params:
- mark:
    type: string
    required: true
operations:
- Context.FetchDocument
- Document.SetProperty:
    xpath: dc:source
    value: expr:@{ChainParameters["mark"]} by @{who}
"""


class Operations(WireTest):
    def test_discovery(self):
        self.assertTrue(self.server.can_use("Document.Create"))
        self.assertFalse(self.server.can_use("Nonesuch.Operation"))
        self.assertTrue(self.server.client.is_reachable())

    def test_checked_parameters(self):
        document = self.server.operations.execute(
            command="Document.Create",
            input_obj=self.workspace.uid,
            params={"type": "File", "name": unique("op"), "properties": {"dc:title": "Made", "dc:source": "a=b"}},
            check_params=True,
        )
        self.assertEqual(document["properties"]["dc:source"], "a=b")
        with self.assertRaises(BadQuery):
            self.server.operations.execute(command="Document.Create", check_params=True, nonesuch=1)

    def test_list_and_void(self):
        ids = [self.new_document().uid for _ in range(2)]
        answer = self.server.operations.execute(
            command="Document.SetProperty",
            input_obj=ids,
            params={"xpath": "dc:rights", "value": "mine"},
            void_op=True,
        )
        self.assertEqual(answer, b"")
        self.assertEqual(self.server.documents.get(uid=ids[1]).get("dc:rights"), "mine")

    def test_collections(self):
        document = self.new_document()
        collection = self.server.operations.execute(
            command="Collection.Create", params={"name": unique("collection")}
        )
        self.server.operations.execute(
            command="Document.AddToCollection",
            input_obj=document.uid,
            params={"collection": collection["uid"]},
        )
        found = self.server.operations.execute(
            command="Collection.GetDocumentsFromCollection", input_obj=collection["uid"]
        )
        self.assertEqual([entry["uid"] for entry in found["entries"]], [document.uid])

    def test_tags(self):
        document = self.new_document()
        self.server.operations.execute(
            command="Services.TagDocument", input_obj=document.uid, params={"tags": "One,two"}
        )
        found = self.server.client.query("SELECT * FROM Document WHERE ecm:tag = 'one'")
        self.assertIn(document.uid, [entry["uid"] for entry in found["entries"]])

    def execute(self, command, **kwargs):
        return self.server.operations.execute(command=command, **kwargs)

    def test_every_type_is_one_that_the_client_checks(self):
        operations = self.server.operations.operations
        self.assertGreater(len(operations), 100)
        unknown = {
            (name, param["name"], param["type"])
            for name, operation in operations.items()
            for param in operation["params"]
            if param["type"] not in PARAM_TYPES
        }
        self.assertEqual(unknown, set())

    def test_types_that_are_checked_are_those_that_are_taken(self):
        document = self.new_document()
        folder = self.new_document(type="Folder")
        for command, params in [
            ("Document.Update", {"properties": {"dc:subjects": "art,law", "dc:title": "a=b\\nc"}, "save": True}),
            ("Document.AddPermission", {"username": "members", "permission": "Read", "begin": "2024-01-01T00:00:00Z"}),
            ("Document.Copy", {"target": folder.path, "name": unique("copy")}),
            ("Services.TagDocument", {"tags": ["one", "two"]}),
            ("Context.SetVar", {"name": "x", "value": {"any": ["thing"]}}),
            ("Document.SetProperty", {"xpath": "dc:rights", "value": "mine"}),
        ]:
            answer = self.execute(command, input_obj=f"doc:{document.uid}", params=params, check_params=True)
            self.assertEqual(answer["entity-type"], "document", command)
        page = self.execute(
            "Repository.Query",
            params={"query": "SELECT * FROM File ORDER BY ecm:uuid", "pageSize": 1, "currentPageIndex": 0},
            check_params=True,
        )
        self.assertEqual((page["pageSize"], len(page["entries"])), (1, 1))

    def test_object_of_an_operation(self):
        folder = self.new_document(type="Folder")
        child = self.new_document(parent=folder)
        operation = self.server.operations.new("Document.GetChildren")
        operation.input_obj = folder.path
        self.assertEqual([entry["uid"] for entry in operation.execute()["entries"]], [child.uid])

    def test_inputs(self):
        documents = [self.new_document() for _ in range(2)]
        for input_obj in [documents[0].uid, documents[0].path, f"doc:{documents[0].uid}"]:
            self.assertEqual(self.execute("Document.GetParent", input_obj=input_obj)["uid"], self.workspace.uid)
        parents = self.execute("Document.GetParent", input_obj=[document.uid for document in documents])
        self.assertEqual(len(parents["entries"]), 2)
        text = self.execute("Context.SetVar", input_obj="just text", params={"name": "x", "value": "y"})
        self.assertEqual(text, {"entity-type": "string", "value": "just text"})

    def test_void(self):
        self.assertEqual(self.execute("Context.SetVar", params={"name": "x", "value": "y"}), b"")
        self.assertEqual(self.execute("Document.Delete", input_obj=self.new_document().uid), b"")

    def test_file_that_is_saved(self):
        content = b"Hello" * 1000
        blob = {"name": "hello.txt", "mime-type": "text/plain", "content": content.decode()}
        document = self.new_document(**{"file:content": blob})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "saved.txt")
            digest = hashlib.md5(content).hexdigest()
            self.execute("Document.GetBlob", input_obj=document.uid, file_out=path, digest=digest)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), content)
        self.assertEqual(self.execute("Blob.Get", input_obj=document.uid, json=False), content)

    def test_json_that_comes_as_a_file(self):
        entries = self.execute("Directory.Entries", params={"directoryName": "continent"}, check_params=True)
        self.assertIn("europe", [entry["id"] for entry in entries])

    def test_chain_with_context(self):
        chain = unique("chain")
        path = f"api/v1/contributions/chains/{chain}"
        headers = {"Content-Type": "application/yaml"}
        self.server.client.request("PUT", path, data=CHAIN.encode(), headers=headers)
        self.addCleanup(self.server.client.request, "DELETE", path)
        document = self.new_document()
        arguments = {"input_obj": document.uid, "params": {"mark": "red"}, "context": {"who": "ann"}}
        answer = self.execute(chain, **arguments)
        self.assertEqual(answer["properties"]["dc:source"], "red by ann")
        self.assertEqual(self.execute(f"Chain.{chain}", void_op=True, **arguments), b"")
        self.assertRefused(400, self.execute, chain, input_obj=document.uid)

    def test_refusals(self):
        document = self.new_document()
        self.assertRefused(404, self.execute, "Nonesuch.Operation")
        self.assertRefused(404, self.execute, "Document.GetParent", input_obj="/no/such")
        self.assertRefused(400, self.execute, "Document.Create", input_obj=self.workspace.uid)
        refusal = self.assertRefused(
            400, self.execute, "Document.SetProperty", input_obj=document.uid, params={"xpath": "no:such", "value": "x"}
        )
        self.assertIn("no:such", refusal.message)
        _, client = self.new_user("members")
        call = {"command": "Document.Delete", "input_obj": document.uid}
        self.assertRefused(403, client.operations.execute, **call)
        self.assertRefused(404, client.operations.execute, command="Counters.GET")
        for params in [{}, {"type": 1}, {"type": "File", "name": ["x"]}]:
            with self.assertRaises(BadQuery):
                self.execute("Document.Create", input_obj=document.uid, params=params, check_params=True)
