import type { ImagePlan } from '../engines/image-plan.js'

/** What the process of one picture is given. */
export type PictureJob = Pick<ImagePlan, 'format' | 'resize' | 'depth'> & {
  /** Absolute paths. */
  input: string
  output: string
  /** Names of libvips' operations that may read the file. */
  loaders: readonly string[]
  /** For what is read and what is written, together. */
  memoryBytes: number
  /** Memory for each pixel that is written. */
  bytesPerPixel: number
}
