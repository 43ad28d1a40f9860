from support import WireTest


class Queries(WireTest):
    def setUp(self):
        self.document = self.new_document(**{"dc:nature": "report", "dc:subjects": ["art"]})

    def under(self):
        return f"SELECT * FROM File WHERE ecm:path STARTSWITH '{self.workspace.path}'"

    def test_query_by_language(self):
        found = self.server.client.query(self.under(), params={"properties": "*"})
        self.assertIn(self.document.uid, [entry["uid"] for entry in found["entries"]])
        self.assertEqual(found["entity-type"], "documents")

    def test_query_of_documents(self):
        found = self.server.documents.query({"query": self.under(), "pageSize": "1"})
        self.assertEqual(found["pageSize"], 1)
        self.assertEqual(len(found["entries"]), 1)
        self.assertEqual(found["entries"][0].type, "File")

    def test_page_provider(self):
        found = self.server.documents.query(
            {"pageProvider": "CURRENT_DOC_CHILDREN", "queryParams": [self.workspace.uid]}
        )
        self.assertIn(self.document.uid, [entry.uid for entry in found["entries"]])

    def test_broken_query(self):
        refusal = self.assertRefused(400, self.server.client.query, "SELECT * FROM")
        self.assertIn("Syntax error", refusal.message)

    def test_repository_query(self):
        found = self.server.operations.execute(
            command="Repository.Query", params={"query": self.under()}, check_params=True
        )
        self.assertIn(self.document.uid, [entry["uid"] for entry in found["entries"]])
