import { expect, test } from 'vitest'
import { type Method, VOID } from '../../language/index.js'
import type { Execution } from '../execution.js'
import { methodFor } from './run-method.js'
import { chooseMethods } from './typed-step.js'

const method = (input: Method['input']): Method => ({ input, output: 'void', run: async () => VOID })
const lock = { id: 'Document.Lock', methods: [method('document'), method('documents')] } as never

const execution = {
  find: () => ({ kind: 'operation', operation: lock }),
} as unknown as Execution

const NONE = 'Document.Lock needs a document or documents as input; the call has none'
const OTHER = 'Document.Lock takes no input of type blob: it needs a document or documents'

test('a call without the input that an operation needs says what it needs', () => {
  const step = { operation: 'Document.Lock', params: {} }
  expect(() => chooseMethods(execution, [step], 'void')).toThrow(NONE)
  expect(() => chooseMethods(execution, [step], 'blob')).toThrow(OTHER)
  expect(() => methodFor(lock, VOID)).toThrow(NONE)
})

test('among steps it says that no path leads through them', () => {
  const steps = ['Document.Lock', 'Document.Lock'].map((operation) => ({ operation, params: {} }))
  expect(() => chooseMethods(execution, steps, 'blob')).toThrow(`No valid path through the chain: ${OTHER}`)
  expect(() => chooseMethods(execution, steps, 'void')).toThrow(NONE)
})
