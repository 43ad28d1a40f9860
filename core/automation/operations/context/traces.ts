import { fail } from '../../../platform/errors/index.js'
import { recordTraces, tracedCalls } from '../../execution/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'

const toggle = defineOperation({
  id: 'Traces.ToggleRecording',
  aliases: ['Traces.toggleRecording'],
  label: 'Traces.toggleRecording',
  category: 'Execution Context',
  description:
    'Turns the recording of traces on or off, in this process; returns whether it is on. Only administrators change it.',
  params: { enableTrace: { type: 'boolean', description: 'The other way round when absent.' } },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ context: { services, session }, params }) => {
      const { recording } = services
      const isOn = recording.since !== undefined
      if (session.principal.isAdministrator) recordTraces(recording, params.enableTrace ?? !isOn)
      return { type: 'boolean', value: recording.since !== undefined }
    }),
  ],
})

/** Counted from the first one; -1 is the last. */
const checkIndex = (index: number): void => {
  if (index < -1) throw fail('badRequest', `index: ${index} is below -1, which is the last trace`)
}

const get = defineOperation({
  id: 'Traces.Get',
  aliases: ['Traces.getTrace'],
  label: 'Traces.getTrace',
  category: 'Execution Context',
  description:
    'Returns, to administrators, what a run of a chain or a call of an operation did since the recording of traces was turned on. Nothing when there is no such trace.',
  isReadOnly: true,
  params: {
    traceKey: { type: 'string', description: 'Id of the chain or operation, as it is deployed.' },
    index: { type: 'integer', default: -1, description: '0 is the first trace, -1 the last one.' },
  },
  methods: ({ method }) => [
    method('void', 'string', async ({ context: { services, session }, params: { traceKey, index } }) => {
      // In a deployed chain, too: a trace shows what others did.
      if (!session.principal.isAdministrator)
        throw fail('forbidden', 'Traces.Get: only administrators read traces')
      if (!traceKey) throw fail('badRequest', 'traceKey: the id of a chain or an operation is missing')
      checkIndex(index)
      const { recording, traces } = services
      if (!traces) throw fail('invalid', 'Traces.Get: a worker has no traces; call it outside of a chain')
      if (!recording.since)
        throw fail('conflict', 'Traces are not recorded: turn that on with Traces.ToggleRecording')
      const runs = await traces(session, { chainId: traceKey, since: recording.since })
      const found = [...runs, ...tracedCalls(recording, traceKey)].sort(
        (a, b) => a.startedAt.getTime() - b.startedAt.getTime(),
      )
      const trace = found.at(index)
      return trace ? { type: 'string', value: await trace.text() } : VOID
    }),
  ],
})

export const traceOperations: readonly Operation[] = [toggle, get]
