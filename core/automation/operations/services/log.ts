import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

const log = defineOperation({
  id: 'Log',
  aliases: ['LogOperation'],
  label: 'Log',
  category: 'Notification',
  description: 'Writes a message to the log of the server.',
  params: {
    category: { type: 'string', description: 'Name under which the message is found in the log.' },
    message: { type: 'string', isRequired: true },
    level: { type: 'string', isRequired: true, default: 'info', values: LEVELS },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { services, session }, params }) => {
      const level = LEVELS.find((known) => known === params.level.trim().toLowerCase())
      if (!level) throw fail('badRequest', `level: '${params.level}' is not one of ${LEVELS.join(', ')}`)
      services.log(level, params.message, {
        category: params.category ?? 'automation',
        principal: session.principal.name,
      })
      return VOID
    }),
  ],
})

export const logOperations: readonly Operation[] = [log]
