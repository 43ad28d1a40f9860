import type { Handler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import {
  type Environment,
  type RequestContext,
  rawPath,
  refuseForeignWork,
  routedPath,
} from '../edge/index.js'
import type { Adapter, AdapterHandler, AdapterMethod, AdapterRequest } from './adapters/index.js'
import type { Target } from './requests/index.js'

type Methods = Adapter['methods']

/** HEAD is GET; the router drops its body. */
const methodOf = (c: RequestContext): string => (c.req.method === 'HEAD' ? 'GET' : c.req.method)

const allowOf = (methods: Methods): string =>
  [
    ...Object.keys(methods).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    'OPTIONS',
  ].join(', ')

const handlerOf = (c: RequestContext, methods: Methods): AdapterHandler => {
  const handler = methods[methodOf(c) as AdapterMethod]
  if (handler) return handler
  if (c.req.method === 'OPTIONS')
    return async () => new Response(null, { status: 200, headers: { Allow: allowOf(methods) } })
  c.header('Allow', allowOf(methods))
  throw fail('methodNotAllowed', `${c.req.method} is not among ${allowOf(methods)}`)
}

/** The methods of an adapter at one address. */
const methodsOf = ({ methods, takes }: Adapter, request: Pick<AdapterRequest, 'rest' | 'list'>): Methods => {
  if (!takes) return methods
  const taken = takes(request)
  return Object.fromEntries(
    Object.entries(methods).filter(([method]) => taken.includes(method as AdapterMethod)),
  )
}

/** The documents that the previous adapter lists; undefined when it lists none. */
const listOf = ({
  c,
  ref,
  before,
  adapters,
}: Pick<AdapterRequest, 'c' | 'ref' | 'before'> & {
  adapters: ReadonlyMap<string, Adapter>
}): AdapterRequest['list'] => {
  const [call, ...others] = before
  const { list } = (call && others.length === 0 && adapters.get(call.name)) || {}
  return list && (() => list({ c, ref, rest: call!.rest, before: [] }))
}

/**
 * Serves a document and its adapters at a prefix of routed paths: the last adapter of the path responds, the
 * others are passed to it.
 */
export const dispatchDocument = ({
  prefix,
  parse,
  document,
  adapters,
}: {
  prefix: string
  parse: (raw: string) => Target
  document: Methods
  adapters: ReadonlyMap<string, Adapter>
}): Handler<Environment> => {
  const template = prefix.endsWith('/id') ? `${prefix}/:id` : `${prefix}/:path`
  return (c) => {
    const { ref, adapters: calls } = parse(routedPath(c.req.url).slice(prefix.length))
    const call = calls.at(-1)
    if (!call) {
      c.set('routeTemplate', template)
      return handlerOf(c, document)({ c, ref, rest: '', before: [] })
    }
    const before = calls.slice(0, -1)
    const adapter = adapters.get(call.name)
    const list = adapter?.takesLists ? listOf({ c, ref, before, adapters }) : undefined
    const isInPlace = list || before.every(({ name }) => adapter?.follows?.includes(name))
    if (!adapter || !isInPlace)
      throw fail('notFound', `No such adapter: @${call.name} in ${rawPath(c.req.url)}`)
    if (adapter.isCostly) refuseForeignWork(c)
    c.set('routeTemplate', `${template}/${calls.map(({ name }) => `@${name}`).join('/')}`)
    const handler = handlerOf(c, methodsOf(adapter, { rest: call.rest, list }))
    return handler({ c, ref, rest: call.rest, before, list })
  }
}
