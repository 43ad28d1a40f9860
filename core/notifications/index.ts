export { notificationsPoint } from './notifications-point.js'
export { subscribe, subscribedNotifications, unsubscribe } from './subscriptions.js'
