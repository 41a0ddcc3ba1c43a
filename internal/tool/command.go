package tool

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// CheckCommand refuses the commands the catalogue names as dangerous:
// "rm -rf /" and its kin, sudo, network commands that name another host, and
// changes to system files. The error is COMMAND_BLOCKED with the reason.
// Package managers pass: they reach their registry by their own settings.
//
// A line that is not shell is refused too: a shell could run its first commands before
// it finds the mistake.
//
// CheckCommand is a first filter that turns an author's slip into a sentence. It is not
// the security boundary: a shell has more ways to say a thing than a filter can read.
// The boundary is the sandbox the command runs in. Without such a sandbox no command
// runs at all.
func CheckCommand(line string) error { return checkLine(line, 0) }

// maxNesting bounds how deep "sh -c" within "sh -c" is followed.
const maxNesting = 4

func checkLine(line string, depth int) error {
	if depth > maxNesting {
		return blocked(line, "nests shells too deeply", "")
	}
	commands, forks, err := splitShell(line)
	if err != nil {
		return blocked(line, fmt.Sprintf("is not a shell command: %v", err), "write it as bash reads it")
	}
	if forks {
		return blocked(line, "starts itself without end", "")
	}
	for _, c := range commands {
		if err := checkSimple(line, c, depth); err != nil {
			return err
		}
	}
	return nil
}

// Commands by what is wrong with them.
var (
	privileged = []string{"sudo", "su", "doas", "pkexec", "chroot", "nsenter", "unshare", "setpriv"}
	machine    = []string{
		"mount", "umount", "shutdown", "reboot", "halt", "poweroff", "init", "systemctl", "service", "sysctl",
		"modprobe", "insmod", "iptables", "nft", "fdisk", "parted", "swapon", "useradd", "usermod", "userdel", "passwd", "crontab",
		"apt", "apt-get", "aptitude", "dpkg", "apk", "yum", "dnf", "rpm", "pacman", "zypper", "docker", "podman",
	}
	remote  = []string{"ssh", "scp", "sftp", "ftp", "telnet", "nc", "ncat", "netcat", "socat", "rsync", "nmap", "ping", "dig", "nslookup"}
	fetch   = []string{"curl", "wget", "http", "https", "aria2c", "git", "npm", "npx", "bun", "bunx", "pnpm", "yarn", "pip", "pip3", "go", "cargo"}
	changes = []string{
		"rm", "rmdir", "mv", "cp", "ln", "tee", "touch", "mkdir", "chmod", "chown", "chgrp", "install", "truncate",
		"dd", "sed", "perl", "unlink", "shred", "tar", "unzip", "patch",
	}
	shells   = []string{"sh", "bash", "dash", "zsh", "ash", "ksh", "fish"}
	prefixes = []string{"env", "nohup", "time", "timeout", "exec", "command", "builtin", "nice", "ionice", "stdbuf", "setsid", "xargs"}
)

// ownHosts are the hosts a command may name: this machine only. Package
// managers reach their registry by their own settings, without naming it.
var ownHosts = []string{"localhost", "127.0.0.1", "[::1]", "::1"}

// systemDirs are the directories whose files do not belong to the project.
var systemDirs = []string{
	"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/srv", "/sys", "/usr", "/var",
}

// devices may be written although they are in a system directory.
var devices = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"}

// installers are the package managers with the words by which they install.
var installers = map[string][]string{
	"npm": {"install", "i", "in", "add", "ci", "update", "up"}, "bun": {"install", "i", "add", "a", "update"},
	"pnpm": {"install", "i", "add", "update", "up"}, "yarn": {"install", "add", "up", "upgrade"},
}

// Installs reports whether a command line installs packages, and which it names.
func Installs(line string) (names []string, installs bool) {
	commands, _, err := splitShell(line)
	if err != nil {
		return nil, false
	}
	for _, c := range commands {
		words := skipPrefixes(c.words)
		if len(words) == 0 {
			continue
		}
		given := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
		verbs, known := installers[path.Base(words[0])]
		if !known || len(given) == 0 || !slices.Contains(verbs, given[0]) {
			continue
		}
		installs = true
		names = append(names, given[1:]...)
	}
	return names, installs
}

func checkSimple(line string, c simple, depth int) error {
	for _, target := range c.writesTo {
		if systemPath(target) {
			return blocked(line, fmt.Sprintf("changes the system file %s", target), "write inside the project")
		}
	}
	words := skipPrefixes(c.words)
	if len(words) == 0 {
		return nil
	}
	name, args := path.Base(words[0]), words[1:]
	switch {
	case slices.Contains(privileged, name):
		return blocked(line, fmt.Sprintf("uses %s", name), "commands run without privileges")
	case slices.Contains(machine, name), strings.HasPrefix(name, "mkfs"):
		return blocked(line, fmt.Sprintf("uses %s, which changes the system", name), "everything a project needs is installed")
	case slices.Contains(remote, name):
		return blocked(line, fmt.Sprintf("uses %s to reach another host", name), "only this machine can be named; install packages by their name")
	case slices.Contains(shells, name):
		for _, script := range c.input {
			if err := checkLine(script, depth+1); err != nil {
				return err
			}
		}
		for i, a := range args {
			if strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") && i+1 < len(args) {
				return checkLine(args[i+1], depth+1)
			}
		}
	case name == "eval":
		return checkLine(strings.Join(args, " "), depth+1)
	case name == "rm" && recursive(args) && slices.ContainsFunc(args, everything):
		return blocked(line, "deletes everything", "delete files of the project by their names")
	}
	if slices.Contains(changes, name) {
		for _, a := range changed(name, args) {
			if systemPath(a) {
				return blocked(line, fmt.Sprintf("changes the system file %s", a), "work inside the project")
			}
		}
	}
	if slices.Contains(fetch, name) {
		return checkHosts(line, name, args)
	}
	return nil
}

// changed lists the words that name what a command changes. The files that cp and dd
// only read may be system files.
func changed(name string, args []string) []string {
	switch {
	case name == "cp" && len(args) > 0:
		return args[len(args)-1:]
	case name == "dd":
		var out []string
		for _, a := range args {
			if target, ok := strings.CutPrefix(a, "of="); ok {
				out = append(out, target)
			}
		}
		return out
	}
	return args
}

// takesValue lists the options of curl and wget whose value is not an address.
var takesValue = []string{"-o", "--output", "-O", "--output-document", "-d", "--data", "-H", "--header", "-X", "--request", "-T", "-F", "-A", "-P"}

// checkHosts refuses words that name a host other than this machine.
func checkHosts(line, name string, args []string) error {
	for i, a := range args {
		host := hostOf(a)
		bare := (name == "curl" || name == "wget") && !strings.HasPrefix(a, "-") && strings.Contains(a, ".")
		if host == "" && bare && (i == 0 || !slices.Contains(takesValue, args[i-1])) {
			host, _, _ = strings.Cut(a, "/")
		}
		if host != "" && !slices.Contains(ownHosts, strings.ToLower(host)) {
			return blocked(line, fmt.Sprintf("reaches the host %s", host), "only this machine can be named; install packages by their name")
		}
	}
	return nil
}

// hostOf is the host of a word that is an address: a URL, or git@host:path.
func hostOf(word string) string {
	if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") { // --registry=https://…
		word = value
	}
	if strings.Contains(word, "://") {
		if u, err := url.Parse(word); err == nil {
			return u.Hostname()
		}
		return word
	}
	if rest, ok := strings.CutPrefix(word, "git@"); ok {
		host, _, _ := strings.Cut(rest, ":")
		return host
	}
	return ""
}

// skipPrefixes drops variable assignments and commands that only start another
// command.
func skipPrefixes(words []string) []string {
	for len(words) > 0 {
		w := path.Base(words[0])
		name, _, assigns := strings.Cut(words[0], "=")
		switch {
		case assigns && name != "" && !strings.ContainsAny(name, "/-"):
		case slices.Contains(prefixes, w):
			words = words[1:]
			for len(words) > 0 && (strings.HasPrefix(words[0], "-") || isDuration(words[0])) {
				words = words[1:]
			}
			continue
		default:
			return words
		}
		words = words[1:]
	}
	return words
}

func isDuration(w string) bool { return w != "" && strings.Trim(w, "0123456789.smhd") == "" }

func recursive(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "--recursive" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.ContainsAny(a, "rR")
	})
}

// everything reports whether a word names the root, the home directory, everything
// in one of them, or everything in a directory above.
func everything(word string) bool {
	if word == "--no-preserve-root" {
		return true
	}
	w := strings.TrimSuffix(strings.TrimSuffix(word, "*"), ".")
	if w == "" {
		return false
	}
	clean := path.Clean(w)
	return clean == "/" || clean == "~" || clean == "$HOME" || clean == "${HOME}" || clean == ".." ||
		strings.HasPrefix(clean, "../") || clean == "/home"
}

func systemPath(word string) bool {
	if !strings.HasPrefix(word, "/") {
		return false
	}
	clean := path.Clean(word)
	if slices.Contains(devices, clean) {
		return false
	}
	return clean == "/" || slices.ContainsFunc(systemDirs, func(d string) bool {
		return clean == d || strings.HasPrefix(clean, d+"/")
	})
}

func blocked(line, why, hint string) error {
	return &koda.Error{Code: koda.CodeCommandBlocked, Op: fmt.Sprintf("command %q %s", clip(line, 80), why), Hint: hint}
}
