import type { BackendUnderTest } from '../../../../storage/contract/index.js'
import { openContent, openExecution, openMain, openOutbox } from './postgres.js'

/** Every backend: another one is one line here. */
const BACKENDS: { readonly [name: string]: BackendUnderTest } = {
  postgres: { openContent, openMain, openExecution, openOutbox },
}

/** The backends that keep something, and how they are opened for it. */
export const backendsThat = <Part extends keyof BackendUnderTest>(
  part: Part,
): [name: string, open: NonNullable<BackendUnderTest[Part]>][] =>
  Object.entries(BACKENDS).flatMap(([name, backend]) => {
    const open = backend[part]
    return open ? [[name, open]] : []
  })
