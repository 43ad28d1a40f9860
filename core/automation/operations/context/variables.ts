import { defineOperation, type Operation, VOID } from '../../language/index.js'
import { setVariable } from '../shared/context-variables.js'

const CATEGORY = 'Execution Context'

const setVar = defineOperation({
  id: 'Context.SetVar',
  label: 'Set Context Variable',
  category: CATEGORY,
  description: 'Gives a context variable a value; without one the variable becomes null.',
  params: {
    name: { type: 'string', description: 'Name of the variable to set.', isRequired: true },
    value: { type: 'object', description: 'The value of the variable.' },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      setVariable(context, params.name, params.value ?? VOID)
      return VOID
    }),
  ],
})

const setInputAsVar = defineOperation({
  id: 'Context.SetInputAsVar',
  label: 'Set Context Variable From Input',
  category: CATEGORY,
  description: 'Keeps the current input in a context variable.',
  params: { name: { type: 'string', description: 'Name of the variable to set.', isRequired: true } },
  methods: ({ method }) => [
    method('void', 'void', async ({ context, params }) => {
      setVariable(context, params.name, context.input)
      return VOID
    }),
  ],
})

export const contextVariableOperations: readonly Operation[] = [setVar, setInputAsVar]
