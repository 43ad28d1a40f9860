import type { BlobValue } from '../../model/properties/index.js'
import { suggestion } from '../../platform/contributions/index.js'
import { type ArchivoltError, isArchivoltError } from '../../platform/errors/index.js'
import { placeholdersOf } from './command-lines/command-line.js'
import { COMMAND_OWN, engineParameters } from './engines/engine.js'
import { planImage } from './engines/images/image-plan.js'
import { withoutFixed } from './engines/videos/video-parameters.js'
import { requireVideoHeight } from './engines/videos/video-plan.js'
import type { ConverterRegistry } from './registry.js'
import { type ConversionTarget, planConversion } from './request.js'
import type { ConversionStep } from './steps.js'

type Parameters = Readonly<Record<string, string>>

/** What is known of the parameters of a conversion before it runs. */
export type AskedParameters = {
  /** What is said of those that nothing reads. */
  unknown: readonly string[]
  /** Why one of them has no such value. */
  refusal?: ArchivoltError
}

const plannedSteps = (
  registry: Pick<ConverterRegistry, 'anywhere'>,
  source: BlobValue,
  target: ConversionTarget,
): ConversionStep[] | undefined => {
  try {
    return planConversion(registry.anywhere, source, target)
  } catch (error) {
    // That it cannot be done is the conversion's to say: scheduling looks at presence alone (blobs-conversions.md §3).
    if (!isArchivoltError(error)) throw error
    return undefined
  }
}

const namesFor = ({ engine, command, parameters }: ConversionStep): string[] => [
  ...(engineParameters[engine] ?? []).map(({ name }) => name),
  ...(command ? placeholdersOf(command) : []),
  ...(engine === 'command' ? ['targetFileName'] : []),
  ...Object.keys(withoutFixed(parameters)),
]

const requireValues = (step: ConversionStep, given: Parameters): void => {
  const parameters = { ...step.parameters, ...withoutFixed(given) }
  if (step.engine === 'image') planImage({ ...step, parameters })
  if (step.engine === 'video') requireVideoHeight(parameters)
}

const refusalOf = (steps: readonly ConversionStep[], given: Parameters): ArchivoltError | undefined => {
  try {
    for (const step of steps) requireValues(step, given)
    return undefined
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    return error
  }
}

/**
 * Looks at the parameters of a conversion without running it; programs need not be installed here.
 *
 * @param given besides those that name the target.
 */
export const askedParameters = (
  registry: Pick<ConverterRegistry, 'anywhere'>,
  source: BlobValue,
  { target, given }: { target: ConversionTarget; given: Parameters },
): AskedParameters => {
  const steps = plannedSteps(registry, source, target)
  if (!steps) return { unknown: [] }
  const known = [...new Set(steps.flatMap(namesFor))].filter((name) => !COMMAND_OWN.includes(name))
  const of = target.converter ?? `the conversion to ${target.type ?? target.format}`
  const rest = known.length > 0 ? `; known are ${known.join(', ')}` : '; it takes none'
  const unknown = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `unknown parameter "${name}" of ${of}${suggestion(name, known) || rest}`)
  const refusal = refusalOf(steps, given)
  return { unknown, ...(refusal && { refusal }) }
}
