import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { DataConverter, PayloadCodec } from '@temporalio/common'
import { secretNamesOf } from '../../core/automation/language/index.js'
import type { RunKey } from '../../core/automation/run-store/index.js'
import { scheduleIdOf } from '../../core/automation/runs/index.js'
import type { Contributions } from '../../core/platform/contributions/index.js'
import type { Settings } from '../../core/platform/settings/index.js'
import { createEncryptionCodec } from './encryption.js'
import { createSeals } from './sealing.js'
import { createSigningCodec } from './signing.js'

/** What payloads depend on; a platform has it. */
export type PayloadPlace = {
  settings: { temporal: Pick<Settings['temporal'], 'taskQueue' | 'signingKeys' | 'encryptionKeys'> }
  /** Of this installation. */
  runKey: RunKey
  /** What is configured at this moment. */
  snapshot(): { contributions: Contributions }
}

const keysFor = (purpose: string, secrets: readonly string[]): KeyObject[] =>
  secrets.map((secret) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `archivolt ${purpose}`, 32))),
  )

export const encryptionOf = (encryptionKeys: readonly string[]): PayloadCodec =>
  createEncryptionCodec(keysFor('payload encryption', encryptionKeys))

const followingNames = (snapshot: PayloadPlace['snapshot']): (() => readonly string[]) => {
  let known: { contributions: Contributions; names: readonly string[] } | undefined
  return () => {
    const { contributions } = snapshot()
    if (known?.contributions !== contributions) known = { contributions, names: secretNamesOf(contributions) }
    return known.names
  }
}

/**
 * How clients and workers write what Temporal keeps: secret parameters sealed, everything signed, and encrypted where
 * the settings have a key for that.
 */
export const createPayloads = ({ settings, runKey, snapshot }: PayloadPlace): DataConverter => {
  const { taskQueue, signingKeys, encryptionKeys } = settings.temporal
  // What was signed before there was a setting stays valid.
  const secrets = [...signingKeys, runKey.secret]
  const codecs = [
    createSigningCodec({
      keys: keysFor('run signatures', secrets),
      unsignedUntil: runKey.unsignedUntil,
      unboundUntil: runKey.unboundUntil,
      schedulePrefix: scheduleIdOf(taskQueue, ''),
      seals: createSeals({ keys: keysFor('secret parameters', secrets), names: followingNames(snapshot) }),
    }),
  ]
  return { payloadCodecs: [...codecs, encryptionOf(encryptionKeys)] }
}
