import type { ImagePlan } from '../engines/images/image-plan.js'
import type { WarmJob } from '../warm/warm-process.js'

/** What the process of pictures is given. */
export type PictureJob = WarmJob &
  Pick<ImagePlan, 'format' | 'resize' | 'depth' | 'angle' | 'crop' | 'watermark'> & {
    /** Names of libvips' operations that may read the file. */
    loaders: readonly string[]
    /** For what is read and what is written, together. */
    memoryBytes: number
    /** Memory for each pixel that is written. */
    bytesPerPixel: number
    /** Pixels of the longer side of each of several pictures in place of one; null: as large as the picture. */
    views?: readonly (number | null)[]
  }
