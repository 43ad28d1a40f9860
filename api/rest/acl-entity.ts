import { type Ace, aceId } from '../../core/security/index.js'

const statusOf = ({ begin, end }: Ace, now: Date): 'effective' | 'pending' | 'archived' => {
  if (end && new Date(end) <= now) return 'archived'
  return begin && new Date(begin) > now ? 'pending' : 'effective'
}

/** One entry of an ACL on the wire (rest-documents.md §6). */
export const aceEntity = (ace: Ace, now: Date) => {
  const { username, permission, granted, creator, begin, end } = ace
  return {
    id: aceId(ace),
    username,
    permission,
    granted,
    creator: creator ?? null,
    begin: begin ?? null,
    end: end ?? null,
    status: statusOf(ace, now),
  }
}
