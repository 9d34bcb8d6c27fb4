/** What counts as a username of the social network; anything else is as good as none. */
export const SOCIAL_USERNAME = /^[A-Za-z0-9_]{1,64}$/
