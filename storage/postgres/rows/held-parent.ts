import { documents } from '../../../schema/documents.js'
import { columnsOf, tableOf } from './names.js'
import { ACL_IN_FORCE } from './read-rights.js'

const d = columnsOf(documents, 'd')

/**
 * A parent that must still be where it was read, with the rights that it had then, or, with a token, all that it was. Its
 * row is held until the child is written.
 *
 * @param parent what it was, as it stands in the statement; `token` may be null there.
 */
export const heldParent = ({
  id,
  path,
  acl,
  token,
}: {
  id: string
  path: string
  acl: string
  token: string
}): string => `
  SELECT ${d.id}, ${d.scopeId} FROM ${tableOf(documents)} d
  WHERE ${d.id} = ${id} AND ${d.path} = ${path} AND ${ACL_IN_FORCE} = ${acl}
    AND ${d.systemToken} = coalesce(${token}, ${d.systemToken})
  FOR KEY SHARE OF d`
