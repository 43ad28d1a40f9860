import type { z } from 'zod'
import { API } from './paths.js'

/** What of the description of a route says where it is, and what it takes. */
export type Described = {
  method: string
  /** Template below `/api/v1`. */
  path: string
  parameters: { query?: z.ZodObject | undefined; header?: z.ZodObject | undefined }
}

/** A document by id or path: its path may have slashes, and ends where an adapter begins. */
const DOCUMENT = '(?:/(?!@)[^/]*)*'

/** Addresses of a template. Only names behind an adapter may have slashes. */
const addressesOf = ({ path }: Described): RegExp => {
  const [, place = '', rest = path] = /^(\/(?:id|path))\/\{\w+\}(.*)$/.exec(path) ?? []
  const name = rest.includes('/@') ? '.+' : '[^/]+'
  return new RegExp(`^${place && place + DOCUMENT}${rest.replace(/\{\w+\}/g, name)}$`)
}

/** Whether a routed path supports something with one of the methods, by the descriptions of all routes. */
export const supportOf = (
  routes: readonly Described[],
  { method, isSupporting }: { method: string; isSupporting(route: Described): boolean },
): ((path: string) => boolean) => {
  const all = routes.filter((route) => route.method === method)
  const supporting = all.filter(isSupporting).map(addressesOf)
  // Such as /automation/login, which is no call of an operation.
  const others = all.filter((route) => !isSupporting(route)).map(addressesOf)
  return (path) => {
    if (!path.startsWith(`${API}/`)) return false
    const below = path.slice(API.length)
    return supporting.some((each) => each.test(below)) && !others.some((each) => each.test(below))
  }
}
