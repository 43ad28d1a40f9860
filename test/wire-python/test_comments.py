from support import WireTest


class Comments(WireTest):
    def test_life_of_a_comment(self):
        document = self.new_document()
        comment = document.comment("First")
        self.assertEqual((comment.author, comment.text, comment.parentId), ("Administrator", "First", document.uid))
        comment.text = "Changed"
        comment.save()
        self.assertEqual(self.server.comments.get(document.uid, comment.uid).text, "Changed")
        comment.delete()
        self.assertEqual(document.comments(), [])

    def test_replies(self):
        document = self.new_document()
        comment = document.comment("Question")
        comment.reply("Answer")
        found = document.comments()[0]
        self.assertTrue(found.has_replies())
        self.assertEqual([reply.text for reply in found.replies()], ["Answer"])

    def test_others_may_not_change_it(self):
        document = self.new_document()
        comment = document.comment("Mine")
        _, client = self.new_user()
        comment.text = "Yours"
        self.assertRefused(403, client.comments.put, comment)
        self.assertRefused(403, client.comments.delete, comment.uid)
