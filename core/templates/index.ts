export { type Rendering, renderTemplate } from './render.js'
export { templatesPoint } from './templates-point.js'
