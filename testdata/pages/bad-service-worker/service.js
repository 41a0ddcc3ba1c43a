self.onfetch = (e) => e.respondWith(new Response('from the service worker'))
