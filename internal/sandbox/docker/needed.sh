# Prints what an image lacks for a sandbox, a line each. It runs in a container of the image.
have() { command -v "$1" >/dev/null 2>&1; }

[ "$(id -u)" != 0 ] || echo "a user other than root (USER)"

version=$(node --version 2>/dev/null | sed 's/^v//; s/\..*//')
[ "${version:-0}" -ge 22 ] || echo "Node.js 22 or newer (node)"
have npm || echo "npm"
have bun || echo "Bun (bun)"
[ -d /node_modules/react ] && [ -d /node_modules/vite ] || echo "the packages of projects in /node_modules"

browser=
for name in /usr/lib/chromium/chromium-headless-shell chromium-headless-shell chrome-headless-shell headless-shell headless_shell \
	/headless-shell/headless-shell; do
	if have "$name"; then browser=$name; fi
done
[ -n "$browser" ] || echo "Chromium's headless shell (chromium-headless-shell)"

ffmpeg -hide_banner -encoders 2>/dev/null | grep -q libx264 || echo "ffmpeg with libx264"
have ffprobe || echo "ffprobe"

libraries=$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null)
for library in libEGL.so.1 libGLESv2.so.2; do
	case $libraries in *"$library"*) ;; *) echo "$library (Mesa)" ;; esac
done
[ -n "$(fc-list 2>/dev/null)" ] || echo "fonts (fontconfig)"
exit 0
