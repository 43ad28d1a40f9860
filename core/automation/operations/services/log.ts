import { fail } from '../../../platform/errors/index.js'
import { defineOperation, logOfUser, type Operation, VOID } from '../../language/index.js'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** Characters of a message. */
const MAX_MESSAGE = 4_000

const MAX_CATEGORY = 200

const boundedMessage = (message: string): string =>
  message.length <= MAX_MESSAGE
    ? message
    : `${message.slice(0, MAX_MESSAGE)} … (${message.length - MAX_MESSAGE} more characters)`

const log = defineOperation({
  id: 'Log',
  aliases: ['LogOperation'],
  label: 'Log',
  category: 'Notification',
  description:
    'Writes a message to the log of the server: 4,000 characters of it, and 300 messages of a user in a minute.',
  params: {
    category: { type: 'string', description: 'Name under which the message is found in the log.' },
    message: { type: 'string', description: 'The text of the line.', isRequired: true },
    level: {
      type: 'string',
      description: 'Level of the line.',
      isRequired: true,
      default: 'info',
      values: LEVELS,
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { services, session }, params }) => {
      const level = LEVELS.find((known) => known === params.level.trim().toLowerCase())
      if (!level) throw fail('badRequest', `level: '${params.level}' is not one of ${LEVELS.join(', ')}`)
      const { principal } = session
      const category = params.category?.slice(0, MAX_CATEGORY) ?? 'automation'
      const fields = { category, principal: principal.name }
      logOfUser(services, principal, level, boundedMessage(params.message), fields)
      return VOID
    }),
  ],
})

export const logOperations: readonly Operation[] = [log]
