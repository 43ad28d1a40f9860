import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common'
import { objectIn, withData, withMember } from './json-object.js'
import type { Seals } from './sealing.js'

/** A member of the object itself, so that it stays with an input that an operator copies. */
const SIGNATURE = 'archivoltSignature'
const PREFIX = `{"${SIGNATURE}":"`
/** HMAC-SHA-256 in base64url. */
const LENGTH = 43
const END = PREFIX.length + LENGTH

/** See `MayBeUnsigned`. */
const UNSIGNED = 'archivoltUnsignedUntil'

/** Temporal adds the time to the ids of a schedule's runs, whose input was signed for the schedule. */
const SCHEDULED = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

export type Signing = {
  /** The first signs; each verifies. */
  keys: readonly KeyObject[]
  /** Until when unsigned runs may have been started, ms since 1970. */
  unsignedUntil: number
  /** Until when they may have been started with a signature of the first form, ms since 1970. */
  unboundUntil: number
  /** Of the ids of schedules. */
  schedulePrefix: string
  seals: Seals
}

/** Signatures of the first form were given before an input said for which start it was written. */
const FORM = 'bound'
type Form = typeof FORM | 'first'

const placeOf = (
  context: SerializationContext | undefined,
  workflowId: string | undefined,
  form: Form = FORM,
): string =>
  [
    context?.type,
    context?.namespace,
    workflowId,
    context?.type === 'activity' ? `${context.activityId} ${context.isLocal}` : '',
    ...(form === FORM ? [FORM] : []),
  ].join('\n')

const signatureOf = (key: KeyObject, place: string, object: Buffer): string =>
  createHmac('sha256', key).update(`${place}\0`).update(object).digest('base64url')

type Signed = { signature: string; object: Buffer }

/** What was signed, as we have written it. */
const signedIn = (object: Buffer): Signed | undefined => {
  if (object.toString('latin1', 0, PREFIX.length) !== PREFIX) return undefined
  const rest = object.toString('latin1', END, END + 2)
  if (rest[0] !== '"') return undefined
  const inner = object.subarray(END + (rest[1] === ',' ? 2 : 1))
  return { signature: object.toString('latin1', PREFIX.length, END), object: Buffer.concat([BRACE, inner]) }
}
const BRACE = Buffer.from('{')

/** The same of an object that the Temporal UI, say, has written again with other spaces. */
const rewrittenIn = (object: Buffer): Signed | undefined => {
  if (!object.includes(SIGNATURE)) return undefined
  const { [SIGNATURE]: signature, ...rest } = JSON.parse(object.toString())
  if (typeof signature !== 'string') return undefined
  return { signature, object: Buffer.from(JSON.stringify(rest)) }
}

/**
 * Signs each JSON object for the workflow or activity that it belongs to, and marks each that comes without a valid
 * signature (`MayBeUnsigned`): whoever acts on one looks. A signature takes microseconds.
 */
export const createSigningCodec = ({
  keys,
  unsignedUntil,
  unboundUntil,
  schedulePrefix,
  seals,
}: Signing): PayloadCodec => {
  const [own] = keys

  /** The ids for which an input of this workflow may have been signed. */
  const idsOf = (context: SerializationContext): (string | undefined)[] => {
    const { workflowId } = context
    if (context.type === 'activity' || !workflowId?.startsWith(schedulePrefix)) return [workflowId]
    const schedule = workflowId.replace(SCHEDULED, '')
    return SCHEDULED.test(schedule) ? [workflowId] : [workflowId, schedule]
  }

  const isOfForm = (form: Form, { signature, object }: Signed, context: SerializationContext): boolean => {
    const given = Buffer.from(signature)
    return keys.some((key) =>
      idsOf(context).some((id) => {
        const expected = Buffer.from(signatureOf(key, placeOf(context, id, form), object))
        return given.length === expected.length && timingSafeEqual(given, expected)
      }),
    )
  }

  const marked = (payload: Payload, object: Buffer, until: number): Payload =>
    withData(payload, withMember(object, `"${UNSIGNED}":${until}`, { isLast: true }))

  /** What was signed, when it was, with a mark for the first form. */
  const verified = (payload: Payload, signed: Signed, context: SerializationContext): Payload | undefined => {
    if (isOfForm(FORM, signed, context)) return seals.open(withData(payload, signed.object))
    if (!isOfForm('first', signed, context)) return undefined
    return seals.open(marked(payload, signed.object, unboundUntil))
  }

  const sign = (payload: Payload, context: SerializationContext | undefined): Payload => {
    const object = objectIn(payload)
    if (!object || !own) return payload
    const signature = signatureOf(own, placeOf(context, context?.workflowId), object)
    return withData(payload, withMember(object, `"${SIGNATURE}":"${signature}"`, { isLast: false }))
  }

  const verify = (payload: Payload, context: SerializationContext | undefined): Payload => {
    const object = objectIn(payload)
    if (!object) return payload
    const written = signedIn(object)
    // Who asks without a place, such as for the progress of a run, decides nothing by the answer.
    if (!context) return written ? withData(payload, written.object) : payload
    const valid = written && verified(payload, written, context)
    if (valid) return valid
    const rewritten = rewrittenIn(object)
    const until = written || rewritten ? 0 : unsignedUntil
    return (rewritten && verified(payload, rewritten, context)) ?? marked(payload, object, until)
  }

  return {
    encode: async (payloads, context) => payloads.map((payload) => sign(seals.seal(payload), context)),
    decode: async (payloads, context) => payloads.map((payload) => verify(payload, context)),
  }
}
