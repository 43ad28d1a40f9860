import type { Ace } from '../../core/security/index.js'

const statusOf = ({ begin, end }: Ace, now: Date): 'effective' | 'pending' | 'archived' => {
  if (end && new Date(end) <= now) return 'archived'
  return begin && new Date(begin) > now ? 'pending' : 'effective'
}

/** One entry of an ACL on the wire; its id is made of its parts, empty ones kept (rest-documents.md §6). */
export const aceEntity = (ace: Ace, now: Date) => {
  const { username, permission, granted, creator, begin, end } = ace
  const millis = (date: string | null | undefined) => (date ? String(Date.parse(date)) : '')
  return {
    id: [username, permission, granted, creator ?? '', millis(begin), millis(end)].join(':'),
    username,
    permission,
    granted,
    creator: creator ?? null,
    begin: begin ?? null,
    end: end ?? null,
    status: statusOf(ace, now),
  }
}
