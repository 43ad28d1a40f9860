import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { workflowBundle } from '../support/workflow-bundle.js'

test('what is the same for all runs is evaluated before the first of them', async () => {
  const loaded: { [module: string]: unknown } = {}
  const globals = { __webpack_module_cache__: loaded, AsyncLocalStorage: class {}, TextEncoder, TextDecoder }
  const sandbox = createContext(globals)
  runInContext((await workflowBundle()).code, sandbox)
  runInContext('__TEMPORAL__.preloadModules()', sandbox)
  const own = Object.keys(loaded).filter((module) => module.startsWith('./workflows/'))
  expect(own).toEqual(
    expect.arrayContaining([
      './workflows/route.ts',
      './workflows/chain/chain.ts',
      './workflows/interceptors/signed.ts',
    ]),
  )
  expect(runInContext('Error.stackTraceLimit', sandbox)).toBe(2)
})
