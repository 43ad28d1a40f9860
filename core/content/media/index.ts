export {
  automaticVideoConversionsPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
  videoPreviewsPoint,
} from './conversion-points.js'
export { VIEWS_REQUESTED } from './events.js'
export { isMediaEvent, MEDIA_PROPERTIES, mediaListenersPoint, mediaWorkOf } from './listeners-point.js'
export { createMediaMaking, type MediaMaking } from './making.js'
export { mediaKeyOf } from './media-key.js'
export { isPlaceholder } from './placeholder-picture.js'
export { createPlaceholders, type Placeholders } from './placeholders.js'
export type {
  MediaResult,
  MediaRuns,
  MediaTask,
  MediaTasks,
  MediaWork,
  WaitingMedia,
  WantedMedia,
} from './tasks.js'
