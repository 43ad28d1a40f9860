export {
  automaticVideoConversionsPoint,
  pictureConversionsPoint,
  videoConversionsPoint,
} from './conversion-points.js'
export { VIEWS_REQUESTED } from './events.js'
export { isMediaEvent, mediaListenersPoint, mediaWorkOf } from './listeners-point.js'
export { createMediaMaking, type MediaMaking } from './making.js'
export { mediaKeyOf } from './media-key.js'
export type { MediaResult, MediaTasks, MediaWork, WantedMedia } from './tasks.js'
