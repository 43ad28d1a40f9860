import type { ChainStep } from '../language/index.js'
/** How messages call a step: by its place in the text, also when steps before it could not be read. */
export const fieldOfStep = ({ at }: ChainStep, index: number): string => at?.field ?? `operations[${index}]`
