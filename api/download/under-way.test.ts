import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { RequestContext } from '../edge/index.js'
import { beginDownload } from './under-way.js'

const requestOf = (name: string): RequestContext & { env: { outgoing: EventEmitter } } =>
  ({ env: { outgoing: new EventEmitter() }, get: () => ({ name }) }) as never

test('a user has so many downloads under way, and another one once a response has ended', () => {
  const requests = Array.from({ length: 100 }, () => requestOf('eve'))
  for (const request of requests) beginDownload(request)
  expect(() => beginDownload(requestOf('eve'))).toThrow(
    'User eve, or this server, has too many downloads under way',
  )
  const another = requestOf('ann')
  beginDownload(another)
  requests[0]!.env.outgoing.emit('close')
  const next = requestOf('eve')
  beginDownload(next)
  expect(() => beginDownload(requestOf('eve'))).toThrow(/too many downloads/)
  for (const { env } of [...requests, another, next]) env.outgoing.emit('close')
})
