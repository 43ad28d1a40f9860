import { fail } from '../../../platform/errors/index.js'
import { getBulk, submitBulk } from '../../bulk/index.js'
import { callHostFunction } from '../../host-functions/index.js'
import {
  chainParameters,
  finalFailure,
  mayCall,
  type OperationContext,
  type Value,
  type Variables,
} from '../../language/index.js'
import { forgetRecords, runScript } from '../../scripted-operations/index.js'
import {
  actorOf,
  innerActing,
  isForOthers,
  isLoggedIn,
  isOfProduct,
  mayStandIn,
  openActing,
} from './acting.js'
import { attemptIn, type Frame } from './frame.js'
import { handedOn, handOn, unquoted } from './hand-on.js'
import { evaluateExpression } from './parameters.js'

/** What an operation at this place may do. */
export const contextOf = (frame: Frame, input: Value, variables: Variables): OperationContext => {
  const { transient, signal, expressions } = frame
  const { session, reader, services } = actorOf(frame)
  const context: OperationContext = {
    session,
    variables,
    input,
    services,
    transient,
    bulk: {
      submit: (request) =>
        submitBulk(
          {
            session,
            store: frame.bulk,
            registry: frame.registry,
            mostOpen: frame.services.limits.openBulkCommands,
          },
          request,
        ),
      find: (id) => getBulk(frame.bulk, session.principal, id),
    },
    signal,
    documents: (value) => reader.many(value),
    run: (call) => frame.runNested(frame, variables, call),
    attempt: async (call) => {
      const before = { ...variables }
      try {
        return { output: await attemptIn(frame, (inner) => inner.runNested(inner, variables, call)) }
      } catch (error) {
        const failure = finalFailure(error)
        if (!failure) throw error
        for (const name of Object.keys(variables)) delete variables[name]
        Object.assign(variables, before)
        return { failure }
      }
    },
    report: frame.report,
    ask: (question, args) => callHostFunction({ ...frame, session }, question, args),
    requireDeployed: (what) => {
      if (!frame.isDeployed) throw fail('forbidden', `${what} is a step of deployed chains alone`)
    },
    requireMayName: (what, chain) => {
      if (frame.isDeployed) return
      const callable = frame.find(chain)
      if (callable?.kind === 'chain' && mayCall(session, callable, { isSecure: false })) return
      throw fail('forbidden', `${what}: ${session.principal.name} may call no chain ${chain}`)
    },
    isOfProduct: isOfProduct(frame),
    mayStandIn: mayStandIn(frame),
    login: (principal) => {
      frame.acting.stack.push(principal)
      frame.acting.hasLoggedIn = true
    },
    logout: () => {
      if (isLoggedIn(frame)) frame.acting.stack.pop()
    },
    within: ({ principal, variables: own = variables }) => {
      const acting = principal ? openActing(principal) : innerActing(frame)
      return contextOf({ ...frame, isDeployed: true, acting }, input, own)
    },
    runScript: async (script) => {
      // What is deployed answers for what it calls; other scripts come from administrators alone.
      const inside = { ...frame, isDeployed: true, acting: innerActing(frame) }
      const place = {
        ...inside,
        context: contextOf(inside, script.input, variables),
        names: frame.scriptNames,
        // Of who acts when it is asked for: a script may log others in and out.
        get session() {
          return actorOf(inside).session
        },
        get reader() {
          return actorOf(inside).reader
        },
        get services() {
          return actorOf(inside).services
        },
      }
      try {
        const { output, input: passedOn } = await runScript(place, script)
        if (!inside.acting.hasLoggedIn) return { output, input: passedOn }
        return { output: handedOn(output), input: handedOn(passedOn) }
      } catch (error) {
        throw inside.acting.hasLoggedIn ? unquoted(frame, error, 'The script') : error
      } finally {
        if (inside.acting.hasLoggedIn) {
          handOn(variables)
          forgetRecords(frame.scripts.table)
        }
      }
    },
    requireMayEvaluate: () => {
      if (!frame.isDeployed && !session.principal.isAdministrator)
        throw fail('forbidden', 'An expression that comes with a call is evaluated for administrators alone')
    },
    evaluate: async (text, on = {}) => {
      if (!on.isDeployed) context.requireMayEvaluate()
      return evaluateExpression(text, {
        context: {
          ...context,
          input: on.input ?? context.input,
          variables: on.variables ? { ...variables, ...on.variables } : variables,
        },
        expressions,
        reader,
      })
    },
  }
  return context
}

/** What the parameters of a step at this place are evaluated with. */
export const evaluationOf = (frame: Frame, context: OperationContext) => ({
  context,
  expressions: frame.expressions,
  reader: actorOf(frame).reader,
  chainParameters: chainParameters(context.variables),
  isForOthers: isForOthers(frame),
})
