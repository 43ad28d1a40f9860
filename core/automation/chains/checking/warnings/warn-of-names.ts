import type { Place, Report } from '../../../../platform/contributions/index.js'
import type { Callable } from '../../../language/index.js'
import type { KnownNames } from '../../../lint/index.js'
import { isMap, type Values } from '../../reading/literals.js'
import { signatureOf } from '../calls/call-signature.js'
import { isAutomation, writtenBulk } from '../calls/check-bulk.js'
import { type TargetCheck, writtenCallOf } from '../calls/target-params.js'
import { placeIn } from './places.js'
import { unknownNamesOfCall } from './unknown-names.js'

type NamesCheck = TargetCheck & { names: KnownNames; report: Report }

/** What a step, or a command of it, gives elsewhere than in its own parameters. */
type Handed = { callable: Callable; given: Values; field: string; placeOf(name: string): Place | undefined }

const warnOfStep = ({ step, field, operation, places, at, registry, names, report }: NamesCheck): void => {
  const signature = signatureOf({ kind: 'operation', operation }, registry)
  for (const { name, key, offset, part, message } of unknownNamesOfCall({
    given: step.params,
    signature,
    names,
  })) {
    const param = places?.params.get(name)
    const found = (key === undefined ? undefined : param?.entries?.get(key)) ?? param
    const valueAt = offset === undefined ? found?.value : placeIn(found, offset)
    const path = key === undefined ? [field, name] : [field, name, key]
    const isName = part === 'name' && found !== param
    report(path.join('.'), (isName ? found?.name : valueAt) ?? at, message)
  }
}

/** An action that sets properties does what `Document.Update` does with them. */
const UPDATE = 'Document.Update'

const ofBulk = (check: NamesCheck): Handed | undefined => {
  const { operation, field, places, at, registry } = check
  const silent = { ...check, callable: { kind: 'operation' as const, operation }, report: () => {} }
  const { action, parameters } = writtenBulk(silent) ?? {}
  if (action === undefined || !parameters) return undefined
  const id = isAutomation(action) ? parameters.operationId : action === 'setProperties' ? UPDATE : undefined
  const callable = typeof id === 'string' ? registry.find(id) : undefined
  if (!callable) return undefined
  const place = places?.params.get('parameters')
  const given = isAutomation(action) ? parameters.parameters : { properties: parameters }
  return {
    callable,
    given: isMap(given) ? given : {},
    field: isAutomation(action) ? `${field}.parameters.parameters` : `${field}.parameters`,
    placeOf: (name) => place?.entries?.get(name)?.value ?? place?.value ?? at,
  }
}

const ofTarget = (check: NamesCheck): Handed | undefined => {
  const call = writtenCallOf(check)
  return call && { ...call, placeOf: (name) => call.placeOf(name, 'value') }
}

const warnOfHanded = (
  { callable, given, field, placeOf }: Handed,
  { registry, names, report }: NamesCheck,
): void => {
  const signature = signatureOf(callable, registry)
  for (const { name, key, message } of unknownNamesOfCall({ given, signature, names }))
    report(`${field}.${name}`, placeOf(key ?? name), message)
}

/**
 * Warns of what a step writes down that nothing configured is called, in its own parameters, in those of what it runs,
 * and in those of a bulk command.
 */
export const warnOfNames = (check: NamesCheck): void => {
  warnOfStep(check)
  for (const handed of [ofTarget(check), ofBulk(check)]) if (handed) warnOfHanded(handed, check)
}
