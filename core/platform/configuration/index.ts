/** Single values of a deployment, by name: the extension point `configuration`. */
export { configurationPoint } from './configuration-point.js'
export {
  type ConfigurationProperty,
  defineProperty,
  isPropertyTrue,
  type ListedProperty,
  listProperties,
  propertyText,
} from './properties.js'
