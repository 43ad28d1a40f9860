export { asComment, type Comment, type CommentContent, type CommentKind } from './comment.js'
export {
  type CommentName,
  commentedDocument,
  createComment,
  findComment,
  getComments,
  removeComment,
  repliesSummary,
  updateComment,
} from './comments.js'
