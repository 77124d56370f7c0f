// Package process measures the CPU time and memory of this process.
package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// CPUSeconds returns the CPU time of all threads, user and system.
func CPUSeconds() (float64, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime), err
}

// MemoryBytes reads a line of /proc/self/status: "VmRSS" is the resident memory now, "VmHWM" its peak.
func MemoryBytes(name string) (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, name+":"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
			return kilobytes * 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", name)
}
