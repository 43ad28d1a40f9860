import type { Callable, Registry } from '../../../language/index.js'
import type { KnownNames } from '../../../lint/index.js'
import type { Values } from '../../reading/literals.js'
import { signatureOf } from '../calls/call-signature.js'
import { unknownNamesOfCall } from './unknown-names.js'

/** What values for a call name that nothing configured is called: each document of a bulk command fails by it. */
export const unknownNamesInCall = (
  { callable, given }: { callable: Callable; given: Values },
  { registry, names }: { registry: Registry; names: KnownNames },
): string[] =>
  unknownNamesOfCall({ given, signature: signatureOf(callable, registry), names }).map(
    ({ name, message }) => `${name}: ${message}`,
  )
