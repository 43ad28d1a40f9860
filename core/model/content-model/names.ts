import { z } from 'zod'

/** Types, facets, schemas, life cycles, permissions: names that NXQL, URLs and headers carry unescaped. */
export const modelName = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'letters, digits, "_", "-" or ".", a letter first')

/** Field names are path steps of an xpath, so neither `/` nor `:` nor a leading digit. */
export const fieldName = z.string().regex(/^[A-Za-z][\w-]*$/, 'letters, digits, "_" or "-", a letter first')
