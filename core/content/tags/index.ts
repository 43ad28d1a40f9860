export { addTags, getTags, removeAllTags, removeTags, suggestTags } from './tags.js'
