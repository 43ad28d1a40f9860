from nuxeo.exceptions import BadQuery

from support import WireTest, unique


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

    def test_refusal(self):
        self.assertRefused(404, self.server.operations.execute, command="Nonesuch.Operation")
