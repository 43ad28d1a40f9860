from nuxeo.exceptions import HTTPError

from support import WireTest

SERIAL = "SerialDocumentReview"


class Workflows(WireTest):
    def only_task(self, client, user, workflow):
        tasks = client.tasks.get({"userId": user, "workflowInstanceId": workflow.uid})
        self.assertEqual([task.state for task in tasks], ["opened"])
        return tasks[0]

    def test_workflow(self):
        document = self.new_document()
        options = {"attachedDocumentIds": [document.uid], "variables": {"initiatorComment": "hi"}}
        started = self.server.workflows.start(SERIAL, options=options)
        self.assertEqual((started.state, started.variables["initiatorComment"]), ("running", "hi"))
        fetched = self.server.workflows.get(started.uid)
        self.assertEqual(fetched.attachedDocumentIds, [{"id": document.uid}])
        self.assertIn(started.uid, [each.uid for each in self.server.workflows.started(SERIAL)])
        # The client makes a workflow of what it is sent, which has no field for nodes.
        self.assertIsNone(fetched.graph().uid)
        graph = self.server.client.request("GET", f"api/v1/workflow/{started.uid}/graph").json()
        self.assertEqual(len(graph["nodes"]), 5)
        self.assertEqual([task.nodeName for task in fetched.tasks], ["Task38e"])
        fetched.delete()
        self.assertEqual(self.server.workflows.get(started.uid).state, "canceled")

    def test_workflow_of_a_document(self):
        document = self.new_document()
        started = self.server.workflows.start("ParallelDocumentReview", document)
        self.assertEqual(started.attachedDocumentIds, [{"id": document.uid}])
        listed = self.server.documents.workflows(document)
        found = listed if isinstance(listed, list) else [listed]
        self.assertEqual([each.uid for each in found], [started.uid])
        self.server.workflows.delete(started.uid)

    def test_tasks(self):
        ann, ann_client = self.new_user("administrators")
        bob, bob_client = self.new_user("members")
        options = {"attachedDocumentIds": [self.new_document().uid]}
        started = ann_client.workflows.start(SERIAL, options=options)
        choose = self.only_task(ann_client, ann, started)
        choose.complete("start_review", variables={"participants": [f"user:{bob}"]}, comment="please")
        self.assertEqual(choose.state, "ended")
        self.assertEqual([each["text"] for each in choose.comments], ["please"])
        review = self.only_task(bob_client, bob, started)
        review.delegate(f"user:{ann}", comment="help")
        self.assertEqual([each["text"] for each in review.comments], ["help"])
        review.reassign(f"user:{bob}")
        self.assertEqual(review.actors, [{"id": f"user:{bob}"}])
        self.assertEqual(bob_client.tasks.get(review.uid).nodeName, "Task6d8")
        review.complete("validate")
        self.assertEqual(ann_client.workflows.get(started.uid).state, "done")
        with self.assertRaises(HTTPError) as refusal:
            bob_client.tasks.complete(review, "validate")
        self.assertEqual(refusal.exception.status, 409)
